import { clusterName } from '@penstock/services/inputs';
import { z } from 'zod';

export const renameClusterInput = z.object({ clusterId: z.uuid(), name: clusterName });
