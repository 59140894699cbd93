// Validation rules for provisioning. Client-safe.
import { z } from 'zod';

/** Days until a token expires. */
export const scimTokenLifetimeDays = z
  .number()
  .int('Use whole days.')
  .min(1, 'Use at least 1 day.')
  .max(730, 'Use at most 2 years.');
