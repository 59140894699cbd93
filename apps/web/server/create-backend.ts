// Opens everything that the web server needs from the environment, once per process.
import type { Backend } from '@penstock/api';
import { readInvoiceSettings } from '@penstock/billing';
import { openStripe, stripeSettings } from '@penstock/billing/stripe';
import {
  adminTlsFiles,
  createBrowseTokenSigner,
  createLiveState,
  createMetadataAdmin,
  databaseTime,
} from '@penstock/clusters';
import { createPrismaClient, createReads } from '@penstock/database/client';
import { createAuth } from '@penstock/identity';
import { createLogger, createSecretBox, type Environment, parseEnv, rootSecrets } from '@penstock/platform';
import { createAccessChanges, createNotifications, createOpenStreams } from '@penstock/tenancy';
import { backendVariables } from './settings.ts';

/** @throws AppError `environment_invalid` that names the variables at fault */
export function createBackend(environment: Environment): Backend {
  const settings = parseEnv(backendVariables, environment);
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
