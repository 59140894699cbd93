// Inputs of the session procedures. Client-safe: imports nothing but zod and what is pure.
import type { Membership, SessionUser } from '@penstock/identity';

export interface CurrentSession {
  /** Null: nobody is signed in. */
  user: SessionUser | null;
  /** Where the person works at the moment; null: belongs to none yet, show "create an organization". */
  organization: Membership | null;
  organizations: Membership[];
  /** Where they are members, and which open through single sign-on alone. */
  organizationsBehindSso: Membership[];
  /** Whether this is a one-machine installation with a mailbox page. */
  isEmbedded: boolean;
  /** For the command that starts an agent. */
  agentMetadataUrl: string;
}
