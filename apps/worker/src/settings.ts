// The worker's settings, from the environment.
import { type InvoiceSettings, readInvoiceSettings } from '@penstock/billing';
import { type StripeSettings, stripeSettings, stripeVariables } from '@penstock/billing/stripe';
import {
  cellsVariable,
  cellUrls,
  databaseUrlVariable,
  type Environment,
  flagVariable,
  httpUrlVariable,
  parseEnv,
  portVariable,
} from '@penstock/platform';
import { z } from 'zod';

const variables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_CELLS: cellsVariable,
  PENSTOCK_EMBEDDED: flagVariable,
  /** The dashboard's origin, for links in mails; without it they have none. */
  PENSTOCK_WEB_URL: httpUrlVariable.optional(),
  PENSTOCK_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** One URL or several, separated by commas: of the processes that know how clusters are. Without it nobody watches their health. */
  PENSTOCK_METADATA_URL: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, '')))
    .optional(),
  /** What the metadata service knows us by; needed with PENSTOCK_METADATA_URL. */
  PENSTOCK_INTERNAL_TOKEN: z.string().min(32, 'expected at least 32 characters').optional(),
  /** Of /healthz and /readyz; without it they are not served. */
  PENSTOCK_WORKER_PORT: portVariable.optional(),
  /** smtp://user:password@host:587 or smtps://…; without it mails wait in the outbox. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'expected a URL that starts with smtp:// or smtps://')
    .optional(),
  ...stripeVariables,
  SMTP_FROM: z.string().min(3).default('Penstock <no-reply@localhost>'),
};

export interface WorkerSettings {
  databaseUrl: string;
  /** The databases that hold journals, by the name of their cell; `main` is that of `databaseUrl`. */
  cells: ReadonlyMap<string, string>;
  isEmbedded: boolean;
  webUrl: string | undefined;
  /** Who sells, and how money is collected. */
  invoices: InvoiceSettings;
  /** Undefined: invoices are paid by transfer. */
  stripe: StripeSettings | undefined;
  logLevel: string;
  port: number | undefined;
  smtp: { url: string; from: string } | undefined;
  /** Undefined: the health of clusters is not watched. */
  metadata?: { urls: string[]; internalToken: string } | undefined;
}

/** @throws AppError `environment_invalid` that names the variables at fault */
export function readSettings(environment: Environment): WorkerSettings {
  const settings = parseEnv(variables, environment);
  const { PENSTOCK_METADATA_URL: urls, PENSTOCK_INTERNAL_TOKEN: internalToken } = settings;
  return {
    databaseUrl: settings.DATABASE_URL,
    cells: cellUrls(settings.DATABASE_URL, settings.PENSTOCK_CELLS),
    isEmbedded: settings.PENSTOCK_EMBEDDED,
    webUrl: settings.PENSTOCK_WEB_URL,
    invoices: readInvoiceSettings(environment),
    stripe: stripeSettings(settings),
    logLevel: settings.PENSTOCK_LOG_LEVEL,
    port: settings.PENSTOCK_WORKER_PORT,
    smtp: settings.SMTP_URL === undefined ? undefined : { url: settings.SMTP_URL, from: settings.SMTP_FROM },
    metadata: urls === undefined || internalToken === undefined ? undefined : { urls, internalToken },
  };
}
