import { clusterName } from '@penstock/clusters/inputs';
import { z } from 'zod';

export const renameClusterInput = z.object({ clusterId: z.uuid(), name: clusterName });
