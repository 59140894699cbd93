// What the procedures need from the process that runs them. The program opens it; this package only uses it.
import type { InvoiceSettings } from '@penstock/billing';
import type { StripeGateway } from '@penstock/billing/stripe';
import type { BrowseTokenSigner, LiveState, MetadataAdmin } from '@penstock/clusters';
import type { Auth, SecretBox } from '@penstock/identity';
import type { Logger } from '@penstock/platform';
import type { AccessChanges, Database, OpenStreams, Reads } from '@penstock/tenancy';

export interface Backend {
  database: Database;
  /** For what stands before or in nearly every request. */
  reads: Reads;
  auth: Auth;
  metadata: MetadataAdmin;
  /** What pages show of clusters, as it changes. */
  live: LiveState;
  /** Seals customers' secrets. */
  secretBox: SecretBox;
  /** Signs what lets a browser ask an agent for records. */
  browseTokens: BrowseTokenSigner;
  accessChanges: AccessChanges;
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
