// Validation rules for API key forms. Client-safe.
import { z } from 'zod';

export const apiKeyName = z.string().trim().min(1, 'Enter a name for the key.').max(64, 'Use at most 64 characters.');

/** Days until the key expires. */
export const apiKeyLifetimeDays = z
  .number()
  .int('Use whole days.')
  .min(1, 'Use at least 1 day.')
  .max(3650, 'Use at most 10 years.');

/** How long the old key keeps working after a rotation. */
export const apiKeyOverlapHours = z
  .number()
  .int('Use whole hours.')
  .min(0, 'Use 0 to expire the old key immediately.')
  .max(168, 'Use at most 168 hours (1 week).');
