// Validation rule for the lifetime of sessions. Client-safe.
import { z } from 'zod';

/** Bounds how long a stolen session can be kept alive by using it. */
export const MAX_SESSION_DAYS = 90;

export const sessionDays = z
  .int('Use a whole number of days.')
  .min(1, 'Use at least 1 day.')
  .max(MAX_SESSION_DAYS, `Use at most ${MAX_SESSION_DAYS} days.`);
