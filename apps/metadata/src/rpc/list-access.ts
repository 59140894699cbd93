// Pages of users, ACLs and quotas. There are at most ten thousand of each, which change rarely: each owner's are kept in order until
// they change.
import { type ClusterState, describeSecurity } from '@penstock/metadata-core';
import {
  type AdminListAclsRequest,
  type AdminListQuotasRequest,
  type AdminListUsersRequest,
  aclKey,
  type Page,
  quotaKey,
} from '@penstock/metadata-protocol';
import type { Owner } from '../owners/owner.ts';
import { securityMessage } from './messages/security.ts';
import { checkedPage } from './pages.ts';

type SecurityMessage = ReturnType<typeof securityMessage>;
type Credential = Omit<SecurityMessage['credentials'][number], 'salt' | 'storedKey' | 'serverKey'>;

interface Entry<Value> {
  key: string;
  value: Value;
}

interface OrderedAccess {
  version: number;
  /** The credentials of each user. */
  users: Entry<Credential[]>[];
  acls: Entry<SecurityMessage['acls'][number]>[];
  quotas: Entry<SecurityMessage['quotas'][number]>[];
}

const known = new WeakMap<Owner, OrderedAccess>();

/** AdminListUsers. @throws ConnectError invalid_argument */
export async function listUsersIn(owner: Owner, { page }: AdminListUsersRequest) {
  return { credentials: (await pageOf(owner, page, ({ users }) => users)).flat() };
}

/** AdminListAcls. @throws ConnectError invalid_argument */
export async function listAclsIn(owner: Owner, { page }: AdminListAclsRequest) {
  return { acls: await pageOf(owner, page, ({ acls }) => acls) };
}

/** AdminListQuotas. @throws ConnectError invalid_argument */
export async function listQuotasIn(owner: Owner, { page }: AdminListQuotasRequest) {
  return { quotas: await pageOf(owner, page, ({ quotas }) => quotas) };
}

async function pageOf<Value>(
  owner: Owner,
  page: Page | undefined,
  listOf: (access: OrderedAccess) => readonly Entry<Value>[],
): Promise<Value[]> {
  const { after, limit } = checkedPage(page);
  return await owner.read((state) =>
    listOf(orderedAccess(owner, state))
      .filter(({ key }) => after === undefined || key > after)
      .slice(0, limit)
      .map(({ value }) => value),
  );
}

function orderedAccess(owner: Owner, state: ClusterState): OrderedAccess {
  const before = known.get(owner);
  if (before?.version === state.security.version) {
    return before;
  }
  const { credentials, acls, quotas } = securityMessage(describeSecurity(state));
  const shown = credentials.map(({ salt: _salt, storedKey: _stored, serverKey: _server, ...rest }): Credential => rest);
  const now = {
    version: state.security.version,
    users: inOrder(Map.groupBy(shown, ({ user }) => user)),
    acls: inOrder(acls.map((acl) => [aclKey(acl), acl])),
    quotas: inOrder(quotas.map((quota) => [quotaKey(quota), quota])),
  };
  known.set(owner, now);
  return now;
}

function inOrder<Value>(entries: Iterable<readonly [string, Value]>): Entry<Value>[] {
  return Array.from(entries, ([key, value]) => ({ key, value })).sort((one, other) => (one.key < other.key ? -1 : 1));
}
