// The signed-in user and their current organization, for the dashboard's frame.

import { type ClosedMemberships, listClosedMemberships, listMemberships } from '@penstock/identity';
import { inTransaction } from '@penstock/tenancy';
import { procedure } from '../trpc/trpc.ts';
import type { CurrentSession } from './inputs.ts';

const NONE_CLOSED: ClosedMemberships = { behindSso: [], behindTwoFactor: [] };

export const getSession = procedure('anyone').query(async ({ ctx }): Promise<CurrentSession> => {
  const { session, backend } = ctx;
  const installation = { isEmbedded: backend.isEmbedded, agentMetadataUrl: backend.agentMetadataUrl };
  if (session === null) {
    return { ...installation, user: null, isSso: false, organization: null, organizations: [], closed: NONE_CLOSED };
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
});
