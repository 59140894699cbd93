// Validation rules for people's names. Client-safe.
import { z } from 'zod';

export const personName = z
  .string({ error: 'Enter your name.' })
  .trim()
  .min(1, 'Enter your name.')
  .max(64, 'Use at most 64 characters.');
