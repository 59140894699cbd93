// The signed-in user and their current organization, for the dashboard’s frame.
import {
  type ClosedMemberships,
  listClosedMemberships,
  listMemberships,
  type Membership,
  type SessionUser,
} from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { PERSONAL } from '../operation/reasons.ts';
import { operations } from '../trpc/operations.ts';

const { query } = operations('Session');

const NONE_CLOSED: ClosedMemberships = { behindSso: [], behindTwoFactor: [] };

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

export const sessionOperations = {
  get: query({
    access: 'anyone',
    run: async ({ ctx }): Promise<CurrentSession> => {
      const { session, backend } = ctx;
      const installation = { isEmbedded: backend.isEmbedded, agentMetadataUrl: backend.agentMetadataUrl };
      if (session === null) {
        return {
          ...installation,
          user: null,
          isSso: false,
          organization: null,
          organizations: [],
          closed: NONE_CLOSED,
        };
      }
      const organizations = await inTransaction(backend.accounts, (tx) =>
        listMemberships(tx, session.user.id, session.ssoOrganizationId),
      );
      const closed =
        session.ssoOrganizationId === null
          ? await inTransaction(backend.accounts, (tx) => listClosedMemberships(tx, session.user.id))
          : NONE_CLOSED;
      // A page that names its organization never slips into another one.
      const wanted = ctx.organizationId ?? session.activeOrganizationId;
      const organization =
        organizations.find(({ organizationId }) => organizationId === wanted) ??
        (ctx.organizationId === null ? organizations[0] : undefined) ??
        null;
      const isSso = session.ssoOrganizationId !== null;
      return { ...installation, user: session.user, isSso, organization, organizations, closed };
    },
    rest: PERSONAL,
  }),
};
