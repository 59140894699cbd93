// The seller and its bank details, from the environment.
import { type Environment, embeddedVariable, httpUrlVariable, parseEnv } from '@penstock/platform';
import { z } from 'zod';
import { stripeVariables } from '../stripe/stripe-settings.ts';
import type { Party } from './invoice-document.ts';

/** Lines of text. `|` also separates them, where a variable must be a single line. */
const lines = z.string().transform((text) =>
  text
    .split(/\r?\n|\|/)
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

const sellerVariables = {
  PENSTOCK_SELLER_NAME: z
    .string()
    .trim()
    .min(1)
    .optional()
    .meta({ description: 'The seller on invoices. Without it, no invoice can be issued.' }),
  PENSTOCK_SELLER_ADDRESS: lines
    .optional()
    .meta({ description: "The seller's address: lines, or one line with `|` between them." }),
  PENSTOCK_SELLER_EMAIL: z
    .email('expected an email address')
    .optional()
    .meta({ description: "The seller's address for mail, printed on invoices." }),
  PENSTOCK_SELLER_TAX_ID: z.string().trim().min(1).optional().meta({ description: "The seller's tax id." }),
  PENSTOCK_TRANSFER_DETAILS: lines
    .optional()
    .meta({ description: 'Bank details for customers who pay by transfer: lines, or one line with `|` between them.' }),
};

/** Every variable that `readInvoiceSettings` reads. */
export const invoiceVariables = {
  ...sellerVariables,
  PENSTOCK_EMBEDDED: embeddedVariable,
  STRIPE_SECRET_KEY: stripeVariables.STRIPE_SECRET_KEY,
  PENSTOCK_WEB_URL: httpUrlVariable.optional().meta({
    description: "The dashboard's origin, for links in mails. Without it, mails have no links.",
  }),
};

export interface InvoiceSettings {
  /** Undefined if no seller is configured: then no invoice can be issued. */
  seller: Party | undefined;
  transferDetails: string[];
  isStripeConfigured: boolean;
  /** For links in mails. */
  webUrl: string | undefined;
}

/** For embedded mode, where invoices are not real. */
const embeddedSeller: Party = {
  name: 'Penstock (local system)',
  address: ['1 Sluice Street', '10115 Exampletown', 'Germany'],
  email: 'billing@penstock.example',
  taxId: 'DE000000000',
};
const embeddedTransferDetails = ['Bank: Example Bank', 'IBAN: XX00 0000 0000 0000 0000 00', 'BIC: EXAMPLEXXX'];

/** @throws AppError `environment_invalid` that names the invalid variables */
export function readInvoiceSettings(environment: Environment): InvoiceSettings {
  const given = parseEnv(invoiceVariables, environment);
  const seller =
    given.PENSTOCK_SELLER_NAME === undefined
      ? undefined
      : {
          name: given.PENSTOCK_SELLER_NAME,
          address: given.PENSTOCK_SELLER_ADDRESS ?? [],
          email: given.PENSTOCK_SELLER_EMAIL ?? null,
          taxId: given.PENSTOCK_SELLER_TAX_ID ?? null,
        };
  const placeholder = given.PENSTOCK_EMBEDDED
    ? { seller: embeddedSeller, details: embeddedTransferDetails }
    : undefined;
  return {
    seller: seller ?? placeholder?.seller,
    transferDetails: given.PENSTOCK_TRANSFER_DETAILS ?? placeholder?.details ?? [],
    isStripeConfigured: given.STRIPE_SECRET_KEY !== undefined,
    webUrl: given.PENSTOCK_WEB_URL,
  };
}
