// Validation rules for people's names. Client-safe.
import { nameFault } from '@penstock/tenancy/plain-name';
import { z } from 'zod';

export const personName = z
  .string({ error: 'Enter your name.' })
  .trim()
  .min(1, 'Enter your name.')
  .max(64, 'Use at most 64 characters.')
  .superRefine((name, context) => {
    const message = nameFault(name);
    if (message !== null) {
      context.addIssue({ code: 'custom', message });
    }
  });
