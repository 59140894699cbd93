// Everything that the web server needs, opened from the environment once per process.
import { openStripe, type StripeGateway, stripeSettings, stripeVariables } from '@penstock/billing/stripe';
import { createPrismaClient, createReads, type Database, type Reads } from '@penstock/database/client';
import {
  createLogger,
  databaseUrlVariable,
  type Environment,
  flagVariable,
  httpUrlVariable,
  type Logger,
  parseEnv,
} from '@penstock/platform';
import { z } from 'zod';
import { type AccessChanges, createAccessChanges } from './access/access-changes.ts';
import { createOpenStreams, type OpenStreams } from './access/open-streams.ts';
import { type Auth, createAuth } from './auth/create-auth.ts';
import { createClusterChanges } from './cluster/cluster-changes.ts';
import { createLiveRecords, type LiveRecordsFeed } from './cluster/live-records.ts';
import { createLiveViews, type LiveViews } from './cluster/live-views.ts';
import { createDatabaseWords } from './database-words/database-words.ts';
import { type InvoiceSettings, readInvoiceSettings } from './invoice/invoice-settings.ts';
import { createMetadataAdmin, type MetadataAdmin } from './metadata/metadata-admin.ts';
import { createSecretBox, type SecretBox } from './sso/secret-box.ts';
import { type BrowseTokenSigner, createBrowseTokenSigner } from './topic/browse-tokens.ts';

const variables = {
  DATABASE_URL: databaseUrlVariable,
  PENSTOCK_WEB_URL: httpUrlVariable,
  PENSTOCK_AUTH_SECRET: z.string().min(32, 'expected at least 32 characters'),
  /** One URL or several, separated by commas. */
  PENSTOCK_METADATA_URL: z.string().transform((text) => text.split(',').map((url) => url.trim().replace(/\/+$/, ''))),
  PENSTOCK_INTERNAL_TOKEN: z.string().min(32, 'expected at least 32 characters'),
  /** What agents and their operators should use, when it differs from what this process uses. */
  PENSTOCK_PUBLIC_METADATA_URL: httpUrlVariable.optional(),
  /** Addresses or CIDR ranges of the proxies in front of the web app, separated by commas. */
  PENSTOCK_TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((range) => (range.trim() === '' ? [] : [range.trim()]))),
  PENSTOCK_EMBEDDED: flagVariable,
  /** What one API key may ask of one web process within a minute. */
  PENSTOCK_API_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(1_200),
  ...stripeVariables,
  PENSTOCK_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};

export interface Backend {
  database: Database;
  /** For what stands before or in nearly every request. */
  reads: Reads;
  auth: Auth;
  metadata: MetadataAdmin;
  /** Of the clusters that are looked at. */
  liveViews: LiveViews;
  /** Seals customers' secrets. */
  secretBox: SecretBox;
  /** Signs what lets a browser ask an agent for records. */
  browseTokens: BrowseTokenSigner;
  accessChanges: AccessChanges;
  /** Health and events of the clusters that are looked at. */
  liveRecords: LiveRecordsFeed;
  /** Of pages, by session. */
  openStreams: OpenStreams;
  /** Undefined without Stripe's keys: invoices are paid by transfer then. */
  stripe: StripeGateway | undefined;
  logger: Logger;
  /** Who sells and where money is transferred to. */
  invoiceSettings: InvoiceSettings;
  /** The origin that browsers see. */
  webUrl: string;
  /** Addresses or CIDR ranges of the proxies in front. */
  trustedProxies: readonly string[];
  /** The URL for the command that starts an agent. */
  agentMetadataUrl: string;
  /** By API key and process. */
  apiRequestsPerMinute: number;
  /** Whether everything runs on one machine for one person: demo login, mailbox page. */
  isEmbedded: boolean;
  close(): Promise<void>;
}

/** @throws AppError `environment_invalid` that names the variables at fault */
export function createBackend(environment: Environment): Backend {
  const settings = parseEnv(variables, environment);
  const stripe = stripeSettings(settings);
  const logger = createLogger({ name: 'web', level: settings.PENSTOCK_LOG_LEVEL });
  const database = createPrismaClient(settings.DATABASE_URL);
  const reads = createReads(settings.DATABASE_URL, {
    onProblem: (error) => logger.warn({ err: error }, 'A message of reads failed; they are tried one by one'),
  });
  const metadata = createMetadataAdmin({
    urls: settings.PENSTOCK_METADATA_URL,
    internalToken: settings.PENSTOCK_INTERNAL_TOKEN,
  });
  const liveViews = createLiveViews(metadata);
  const openStreams = createOpenStreams();
  const secretBox = createSecretBox(settings.PENSTOCK_AUTH_SECRET);
  const words = createDatabaseWords(settings.DATABASE_URL, logger);
  return {
    database,
    reads,
    accessChanges: createAccessChanges(words),
    liveRecords: createLiveRecords({ database, clusterChanges: createClusterChanges(words), logger }),
    openStreams,
    metadata,
    liveViews,
    secretBox,
    browseTokens: createBrowseTokenSigner(settings.PENSTOCK_INTERNAL_TOKEN, settings.PENSTOCK_WEB_URL),
    invoiceSettings: readInvoiceSettings(environment),
    stripe: stripe === undefined ? undefined : openStripe(stripe),
    logger,
    auth: createAuth({
      database,
      webUrl: settings.PENSTOCK_WEB_URL,
      secret: settings.PENSTOCK_AUTH_SECRET,
      trustedProxies: settings.PENSTOCK_TRUSTED_PROXIES,
      logger,
      secretBox,
      outbound: { isLoopbackAllowed: settings.PENSTOCK_EMBEDDED },
    }),
    webUrl: settings.PENSTOCK_WEB_URL,
    trustedProxies: settings.PENSTOCK_TRUSTED_PROXIES,
    agentMetadataUrl: settings.PENSTOCK_PUBLIC_METADATA_URL ?? settings.PENSTOCK_METADATA_URL[0] ?? '',
    apiRequestsPerMinute: settings.PENSTOCK_API_REQUESTS_PER_MINUTE,
    isEmbedded: settings.PENSTOCK_EMBEDDED,
    close: async () => {
      openStreams.close();
      liveViews.close();
      metadata.close();
      await words.close();
      await reads.close();
      await database.$disconnect();
    },
  };
}
