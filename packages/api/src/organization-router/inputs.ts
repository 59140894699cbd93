// Inputs of the organization procedures. Client-safe: imports only zod and pure modules.
import { organizationName, sessionDays } from '@penstock/identity/inputs';
import { z } from 'zod';

export const createOrganizationInput = z.object({ name: organizationName });

export const deleteOrganizationInput = z.object({
  /** The organization's exact name. */
  confirmation: z.string().max(64),
});

export const deletedOrganizationInput = z.object({ organizationId: z.string().max(64) });

/** Days from the sign-in. */
export const setSessionLifetimeInput = z.object({ days: sessionDays });

export const setTwoFactorDemandInput = z.object({ isRequired: z.boolean() });

export const setActiveOrganizationInput = z.object({ organizationId: z.string().max(64) });
