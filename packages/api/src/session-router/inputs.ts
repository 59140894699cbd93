// Inputs of the session procedures. Client-safe: imports only zod and pure modules.
import type { ClosedMemberships, Membership, SessionUser } from '@penstock/identity';

export interface CurrentSession {
  /** Null if nobody is signed in. */
  user: SessionUser | null;
  /** The user's current organization; null if they have none yet and should create one. */
  organization: Membership | null;
  organizations: Membership[];
  /** Whether an organization's identity provider authenticated the user. */
  isSso: boolean;
  closed: ClosedMemberships;
  /** Whether this is a one-machine installation with a mailbox page. */
  isEmbedded: boolean;
  /** The metadata service's URL in the command that starts an agent. */
  agentMetadataUrl: string;
}
