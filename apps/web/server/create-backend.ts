// Opens everything that the web server needs from the environment, once per process.
import type { Backend } from '@penstock/api';
import { readInvoiceSettings } from '@penstock/billing';
import { openStripe, stripeSettings, stripeVariables } from '@penstock/billing/stripe';
import {
  adminTlsFiles,
  adminTlsVariables,
  createBrowseTokenSigner,
  createLiveState,
  createMetadataAdmin,
  databaseTime,
} from '@penstock/clusters';
import { createPrismaClient, createReads } from '@penstock/database/client';
import { createAuth } from '@penstock/identity';
import {
  createLogger,
  createSecretBox,
  databaseUrlVariable,
  type Environment,
  flagVariable,
  httpUrlVariable,
  outboundPortsVariable,
  parseEnv,
  rootSecrets,
  rootSecretVariables,
  secretsVariable,
  urlsVariable,
} from '@penstock/platform';
import { createAccessChanges, createNotifications, createOpenStreams } from '@penstock/tenancy';
import { z } from 'zod';

const variables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_WEB_URL: httpUrlVariable,
  ...rootSecretVariables,
  /** One URL or several, separated by commas, of the metadata service's ports for the control plane. */
  PENSTOCK_METADATA_ADMIN_URL: urlsVariable,
  /** Sign the tokens of calls to the metadata service. */
  PENSTOCK_ADMIN_KEYS: secretsVariable,
  ...adminTlsVariables,
  /** Root of the keys that sign tokens for message browsers. The metadata service has the same. */
  PENSTOCK_BROWSE_KEYS: secretsVariable,
  /** The URL of the metadata service for agents. */
  PENSTOCK_PUBLIC_METADATA_URL: httpUrlVariable,
  /** Addresses or CIDR ranges of the proxies in front of the web app, separated by commas. */
  PENSTOCK_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()]))),
  PENSTOCK_EMBEDDED: flagVariable,
  /** Where to report vulnerabilities, as a URI. Default: the seller's email address. */
  PENSTOCK_SECURITY_CONTACT: z
    .string()
    .regex(/^(mailto:|https:\/\/|tel:)\S+$/, 'expected a URI that starts with mailto:, https:// or tel:')
    .optional(),
  /** The rate limit of one API key: requests per minute. */
  PENSTOCK_API_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
  PENSTOCK_OUTBOUND_PORTS: outboundPortsVariable,
  ...stripeVariables,
  /** PBKDF2 iterations per key: a browser tries a hundred, in half a second on a laptop and two on a phone. */
  PENSTOCK_SIGN_UP_ITERATIONS: z.coerce.number().int().min(1).default(10_000),
  PENSTOCK_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};

/** @throws AppError `environment_invalid` that names the variables at fault */
export function createBackend(environment: Environment): Backend {
  const settings = parseEnv(variables, environment);
  const stripe = stripeSettings(settings);
  const logger = createLogger({ name: 'web', level: settings.PENSTOCK_LOG_LEVEL });
  const database = createPrismaClient(settings.DATABASE_URL);
  const accounts = createPrismaClient(settings.DATABASE_URL, 10, 'accounts');
  const payments = createPrismaClient(settings.DATABASE_URL, 3, 'payments');
  const reads = createReads(settings.DATABASE_URL, {
    access: 'accounts',
    onProblem: (error) => logger.warn({ err: error }, 'A message of reads failed; they are tried one by one'),
  });
  const metadata = createMetadataAdmin({
    urls: settings.PENSTOCK_METADATA_ADMIN_URL,
    keys: settings.PENSTOCK_ADMIN_KEYS,
    nowMs: databaseTime(database),
    tls: adminTlsFiles(settings),
  });
  const outbound = {
    isLoopbackAllowed: settings.PENSTOCK_EMBEDDED,
    allowedPorts: settings.PENSTOCK_OUTBOUND_PORTS,
  };
  const invoiceSettings = readInvoiceSettings(environment);
  const openStreams = createOpenStreams();
  const secrets = rootSecrets(settings);
  const secretBox = createSecretBox(secrets);
  const notifications = createNotifications(settings.DATABASE_URL, logger);
  const live = createLiveState({ metadata, database, notifications, logger });
  return {
    database,
    accounts,
    payments,
    reads,
    accessChanges: createAccessChanges(notifications),
    openStreams,
    metadata,
    live,
    secretBox,
    browseTokens: createBrowseTokenSigner(settings.PENSTOCK_BROWSE_KEYS, settings.PENSTOCK_WEB_URL),
    invoiceSettings,
    securityContact: settings.PENSTOCK_SECURITY_CONTACT ?? mailtoOf(invoiceSettings.seller?.email),
    stripe: stripe === undefined ? undefined : openStripe(stripe),
    logger,
    auth: createAuth({
      database: accounts,
      webUrl: settings.PENSTOCK_WEB_URL,
      secrets,
      trustedProxies: settings.PENSTOCK_TRUSTED_PROXIES,
      logger,
      secretBox,
      outbound,
      signUpIterations: settings.PENSTOCK_SIGN_UP_ITERATIONS,
    }),
    outbound,
    webUrl: settings.PENSTOCK_WEB_URL,
    trustedProxies: settings.PENSTOCK_TRUSTED_PROXIES,
    agentMetadataUrl: settings.PENSTOCK_PUBLIC_METADATA_URL,
    apiRequestsPerMinute: settings.PENSTOCK_API_REQUESTS_PER_MINUTE,
    isEmbedded: settings.PENSTOCK_EMBEDDED,
    close: async () => {
      openStreams.close();
      live.close();
      metadata.close();
      await notifications.close();
      await reads.close();
      await Promise.all([database, accounts, payments].map((client) => client.$disconnect()));
    },
  };
}

function mailtoOf(email: string | null | undefined): string | undefined {
  return email === undefined || email === null ? undefined : `mailto:${email}`;
}
