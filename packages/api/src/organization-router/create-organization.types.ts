import { organizationName } from '@penstock/services/inputs';
import { z } from 'zod';

export const createOrganizationInput = z.object({ name: organizationName });
