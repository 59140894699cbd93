// The services that procedures need. The process creates them; this package only uses them.
import type { InvoiceSettings } from '@penstock/billing';
import type { StripeGateway } from '@penstock/billing/stripe';
import type { BrowseTokenSigner, LiveState, MetadataAdmin } from '@penstock/clusters';
import type { Auth } from '@penstock/identity';
import type { Logger, SecretBox } from '@penstock/platform';
import type { AccessChanges, Database, OpenStreams, Reads, WebhookPolicy } from '@penstock/tenancy';

export interface Backend {
  /** For transactions that work for one organization. It sees no rows outside of them. */
  database: Database;
  /** Works before the organization is known: sign-in, invitations, provisioning, new organizations, API keys. */
  accounts: Database;
  /** Calls to Stripe and events from Stripe, for all organizations. */
  payments: Database;
  /** For lookups that nearly every request makes. */
  reads: Reads;
  auth: Auth;
  metadata: MetadataAdmin;
  /** Live cluster state for pages, with its changes. */
  live: LiveState;
  /** Encrypts the secrets of customers. */
  secretBox: SecretBox;
  /** Signs the tokens with which browsers request records from agents. */
  browseTokens: BrowseTokenSigner;
  accessChanges: AccessChanges;
  /** Counts pages' open streams by session. */
  openStreams: OpenStreams;
  /** Undefined without Stripe keys; invoices are then paid by bank transfer. */
  stripe: StripeGateway | undefined;
  logger: Logger;
  /** The seller's details and bank account. */
  invoiceSettings: InvoiceSettings;
  /** The origin that browsers see. */
  webUrl: string;
  /** Addresses or CIDR ranges of the reverse proxies. */
  trustedProxies: readonly string[];
  /** The metadata service's URL in the command that starts an agent. */
  agentMetadataUrl: string;
  /** Per API key, in each process. */
  apiRequestsPerMinute: number;
  /** Whether everything runs on one machine for one person, with the demo login and the mailbox page. */
  isEmbedded: boolean;
  /** A URI for reports of vulnerabilities; undefined if the operator names none. */
  securityContact: string | undefined;
  /** Where calls to customers' URLs may go. */
  outbound: WebhookPolicy;
  close(): Promise<void>;
}
