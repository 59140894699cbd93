// Validation rules for budgets, caps and webhooks. Client-safe.
import { z } from 'zod';

/** The column holds 12 digits before the decimal point. */
const LARGEST_DIGITS = 12;

/** An amount as users type it: "1,250", "$99.90". Becomes plain digits, never a float. */
export const monthlyAmountUsd = z
  .string()
  .trim()
  .transform((text) => text.replace(/^\$\s*/, '').replaceAll(',', ''))
  .pipe(
    z
      .string()
      .regex(/^\d+(\.\d{1,2})?$/, 'Use an amount in US dollars, such as 250 or 99.90.')
      .refine((text) => (text.split('.')[0] ?? '').replace(/^0+/, '').length <= LARGEST_DIGITS, 'Use a smaller amount.')
      .refine((text) => /[1-9]/.test(text), 'Use an amount above zero.'),
  );

export const webhookUrl = z.string().trim().min(1, 'Enter a URL.').max(2_000, 'Use at most 2,000 characters.');
