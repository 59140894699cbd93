// Inputs that forms of the dashboard check too. Client-safe: imports only zod and pure modules.
import { organizationName, sessionDays } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createOrganizationInput = z.object({ name: organizationName });

/** Days from the sign-in. */
export const setSessionLifetimeInput = z.object({ days: sessionDays });
