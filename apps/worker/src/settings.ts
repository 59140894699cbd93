// The worker's settings, from the environment.
import { type InvoiceSettings, invoiceVariables, readInvoiceSettings } from '@penstock/billing';
import { type StripeSettings, stripeSettings, stripeVariables } from '@penstock/billing/stripe';
import { type AdminTlsFiles, adminKeysVariable, adminTlsFiles, adminTlsVariables } from '@penstock/clusters';
import {
  cellsVariable,
  cellUrls,
  databaseUrlVariable,
  drainSecondsVariable,
  type Environment,
  embeddedVariable,
  logLevelVariable,
  metricsTokenVariable,
  outboundPortsVariable,
  parseEnv,
  portVariable,
  type RootSecrets,
  rootSecrets,
  rootSecretVariables,
  urlsVariable,
} from '@penstock/platform';
import type { WebhookPolicy } from '@penstock/tenancy';
import { z } from 'zod';

const variables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_CELLS: cellsVariable,
  PENSTOCK_EMBEDDED: embeddedVariable,
  PENSTOCK_WEB_URL: invoiceVariables.PENSTOCK_WEB_URL,
  PENSTOCK_LOG_LEVEL: logLevelVariable,
  PENSTOCK_METADATA_ADMIN_URL: urlsVariable.optional().meta({
    description:
      "URLs of the metadata processes' ports for the control plane, separated by commas. Without it, cluster health is not checked.",
  }),
  PENSTOCK_ADMIN_KEYS: adminKeysVariable.optional().meta({
    description:
      'Sign the tokens of calls to the metadata service: `id:secret`, separated by commas. Required with `PENSTOCK_METADATA_ADMIN_URL`.',
    isSecret: true,
  }),
  ...adminTlsVariables,
  ...rootSecretVariables,
  PENSTOCK_METRICS_TOKEN: metricsTokenVariable,
  PENSTOCK_WORKER_PORT: portVariable.optional().meta({
    description: 'The port of `/healthz`, `/readyz` and `/metrics`. Without it, they are not served.',
  }),
  PENSTOCK_WORKER_HOST: z.string().min(1).optional().meta({
    description: 'The interface of that port.',
    defaultText: 'all',
  }),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'expected a URL that starts with smtp:// or smtps://')
    .optional()
    .meta({
      description: '`smtp://user:password@host:587` or `smtps://…`. Without it, mails wait in the outbox.',
      isSecret: true,
    }),
  PENSTOCK_WORKER_DRAIN_SECONDS: drainSecondsVariable,
  PENSTOCK_OUTBOUND_PORTS: outboundPortsVariable,
  ...stripeVariables,
  SMTP_FROM: z.string().min(3).default('Penstock <no-reply@localhost>').meta({ description: 'The sender of mails.' }),
};

/** Every variable of the program. */
export const workerVariables = { ...invoiceVariables, ...variables };

export interface WorkerSettings {
  databaseUrl: string;
  /** The databases that contain journals, by cell name; `main` is the one at `databaseUrl`. */
  cells: ReadonlyMap<string, string>;
  isEmbedded: boolean;
  /** Where calls to customers' URLs may go. */
  outbound: WebhookPolicy;
  webUrl: string | undefined;
  /** Seal and open secrets in the database. The same as the web app's. */
  secrets: RootSecrets;
  /** The seller's details, and how invoices are paid. */
  invoices: InvoiceSettings;
  /** Undefined if invoices are paid by bank transfer. */
  stripe: StripeSettings | undefined;
  logLevel: string;
  port: number | undefined;
  host: string | undefined;
  /** How long that port stays open after SIGTERM, at least. */
  drainSeconds: number;
  /** The token that /metrics requires from callers on other machines. Undefined: only this machine may read them. */
  metricsToken: string | undefined;
  smtp: { url: string; from: string } | undefined;
  /** Undefined if cluster health is not checked. */
  metadata?: { urls: string[]; keys: RootSecrets; tls: AdminTlsFiles } | undefined;
}

/** @throws AppError `environment_invalid` that names the invalid variables */
export function readSettings(environment: Environment): WorkerSettings {
  const settings = parseEnv(variables, environment);
  const { PENSTOCK_METADATA_ADMIN_URL: urls, PENSTOCK_ADMIN_KEYS: keys } = settings;
  return {
    databaseUrl: settings.DATABASE_URL,
    cells: cellUrls(settings.DATABASE_URL, settings.PENSTOCK_CELLS),
    isEmbedded: settings.PENSTOCK_EMBEDDED,
    outbound: { isLoopbackAllowed: settings.PENSTOCK_EMBEDDED, allowedPorts: settings.PENSTOCK_OUTBOUND_PORTS },
    webUrl: settings.PENSTOCK_WEB_URL,
    secrets: rootSecrets(settings),
    invoices: readInvoiceSettings(environment),
    stripe: stripeSettings(settings),
    logLevel: settings.PENSTOCK_LOG_LEVEL,
    port: settings.PENSTOCK_WORKER_PORT,
    host: settings.PENSTOCK_WORKER_HOST,
    drainSeconds: settings.PENSTOCK_WORKER_DRAIN_SECONDS,
    metricsToken: settings.PENSTOCK_METRICS_TOKEN,
    smtp: settings.SMTP_URL === undefined ? undefined : { url: settings.SMTP_URL, from: settings.SMTP_FROM },
    metadata: urls === undefined || keys === undefined ? undefined : { urls, keys, tls: adminTlsFiles(settings) },
  };
}
