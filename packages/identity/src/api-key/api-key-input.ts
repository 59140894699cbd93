// Rules of what a person may type about an API key. Client-safe.
import { z } from 'zod';

export const apiKeyName = z
  .string()
  .trim()
  .min(1, 'Name the key after the program that will use it.')
  .max(64, 'Use at most 64 characters.');

/** Days until the key ends by itself. */
export const apiKeyLifetime_days = z
  .number()
  .int('Use whole days.')
  .min(1, 'A key lives for at least a day.')
  .max(3650, 'Use at most ten years.');

/** How long the old key goes on working after a rotation. */
export const apiKeyOverlap_hours = z
  .number()
  .int('Use whole hours.')
  .min(0, 'Use 0 to end the old key at once.')
  .max(168, 'Use at most a week (168 hours).');
