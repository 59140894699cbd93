import { organizationName } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createOrganizationInput = z.object({ name: organizationName });
