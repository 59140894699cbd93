// Validation rules for billing details, shared by the form and the server. Client-safe.
import { z } from 'zod';

const line = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .nullable()
    .transform((text) => (text === '' ? null : text));

export const billingDetails = z
  .object({
    legalName: line(200),
    addressLine1: line(200),
    addressLine2: line(200),
    city: line(100),
    state: line(100),
    postalCode: line(20),
    /** The country in ISO 3166-1 alpha-2. */
    country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{2})?$/, 'Use a two-letter country code, such as DE.')
      .nullable()
      .transform((text) => (text === '' ? null : text)),
    /** Stripe's names for tax id types, e.g. eu_vat. */
    taxIdType: z
      .string()
      .trim()
      .regex(/^([a-z]{2}_[a-z_]{2,20})?$/, 'Use a tax ID type, such as eu_vat.')
      .nullable()
      .transform((text) => (text === '' ? null : text)),
    taxId: line(50),
    billingEmail: z
      .union([z.literal(''), z.email('Enter a valid email address, such as name@example.com.').max(254)])
      .nullable()
      .transform((text) => (text === '' ? null : text)),
  })
  .refine((details) => (details.taxId === null) === (details.taxIdType === null), {
    error: 'Enter both a tax ID and its type, or neither.',
    path: ['taxId'],
  });

export type BillingDetails = z.output<typeof billingDetails>;
