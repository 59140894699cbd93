// Validation rules for organizations. Client-safe.
import { nameFault } from '@penstock/tenancy/plain-name';
import { z } from 'zod';

export const organizationName = z
  .string()
  .trim()
  .min(1, 'Enter a name for the organization.')
  .max(64, 'Use at most 64 characters.')
  .superRefine((name, context) => {
    const message = nameFault(name);
    if (message !== null) {
      context.addIssue({ code: 'custom', message });
    }
  });
