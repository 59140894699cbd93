// Validation rules for organizations. Client-safe.
import { z } from 'zod';

export const organizationName = z
  .string()
  .trim()
  .min(1, 'Enter a name for the organization.')
  .max(64, 'Use at most 64 characters.');
