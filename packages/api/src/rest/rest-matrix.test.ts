// Calls every route of the public API as every kind of caller. Routes come from the table itself, so none can be
// missing.
import { generateApiKey, newId } from '@penstock/platform';
import { isAllowed, isClusterPermission, type Permission, permissions, type Role, roles } from '@penstock/tenancy';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Route } from '../operation/route.ts';
import { operationsByPath } from '../operations-by-path.ts';
import { fetchRest } from '../testing/fetch-rest.ts';
import { setUpInstallation } from '../testing/installation.ts';
import { newInvoice } from '../testing/new-invoice.ts';
import { populatedMetadata } from '../testing/populated-metadata.ts';
import { rowsOfTenant } from '../testing/rows-of-tenant.ts';
import { inputsOf, pathNames } from './route-input.ts';
import { routes } from './routes.ts';

/**
 * Disables the web layer's checks: it believes that the key owns an organization, while the database gets the real one.
 */
const forgedMembership = vi.hoisted(() => ({ claimed: null as string | null, actual: '' }));
vi.mock('../../../identity/src/api-key/authenticate-api-key.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../identity/src/api-key/authenticate-api-key.ts')>();
  const authenticateApiKey: typeof original.authenticateApiKey = async (...given) => {
    const key = await original.authenticateApiKey(...given);
    return forgedMembership.claimed === null
      ? key
      : { ...key, organizationId: forgedMembership.claimed, role: 'owner', clusterRoles: {}, isReadOnly: false };
  };
  return { ...original, authenticateApiKey };
});
vi.mock('../../../tenancy/src/access/scope.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../tenancy/src/access/scope.ts')>();
  const inTenant: typeof original.inTenant = (database, organizationId, work) =>
    original.inTenant(database, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, work);
  const readInTenant: typeof original.readInTenant = (reads, organizationId, ...read) =>
    original.readInTenant(reads, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, ...read);
  return { ...original, inTenant, readInTenant };
});

const installation = setUpInstallation();

let organizationId: string;
let otherOrganizationId: string;
let inviterId: string;
const keys = new Map<string, string>();
/** Ids of the organization's keys, by role. */
const keyIds: Record<string, string> = {};

async function newKeyRow(organization: string, role: Role, isReadOnly = false, createdBy: string | null = null) {
  const { plaintext, hash, display } = generateApiKey();
  const id = newId();
  const displayed = { displayPrefix: display.prefix, displayLast4: display.last4 };
  await installation.database.apiKey.create({
    data: { id, organizationId: organization, name: 'test', role, isReadOnly, hash, createdBy, ...displayed },
  });
  return { id, plaintext };
}

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  otherOrganizationId = await installation.newOrganization();
  inviterId = (await installation.newPerson({ organizationId, role: 'owner' })).user.id;
  for (const role of roles) {
    const key = await newKeyRow(organizationId, role, false, inviterId);
    keys.set(role, key.plaintext);
    keyIds[role] = key.id;
  }
  keys.set('read-only', (await newKeyRow(organizationId, 'owner', true)).plaintext);
  keys.set('stranger', (await newKeyRow(otherOrganizationId, 'owner')).plaintext);
});

async function newSsoConnection(): Promise<void> {
  const settings = { issuer: 'https://login.example.com', clientId: 'penstock', clientSecret: new Uint8Array(1) };
  const create = { organizationId, ...settings, defaultRole: 'viewer' };
  await installation.database.ssoConnection.upsert({ where: { organizationId }, create, update: {} });
}

/** Verified, so that no DNS lookup happens. */
async function newSsoDomain(): Promise<string> {
  // Deletes earlier ones: an organization may have twenty.
  await installation.database.ssoDomain.deleteMany({ where: { organizationId } });
  const id = newId();
  const domain = { id, organizationId, domain: `${id}.example`, token: 'token', verifiedAt: new Date() };
  await installation.database.ssoDomain.create({ data: domain });
  return id;
}

async function newScimToken(): Promise<string> {
  const id = newId();
  const hash = new TextEncoder().encode(id);
  const token = { organizationId, displayPrefix: 'p', displayLast4: 'l', hash };
  await installation.database.scimToken.create({ data: { id, ...token, expiresAt: new Date(Date.now() + 60_000) } });
  return id;
}

/** Deletes queued tests, because their number is limited. */
async function newWebhook(): Promise<void> {
  const webhook = { webhookUrl: 'https://hooks.example.com/', webhookSecret: 'secret' };
  const create = { organizationId, ...webhook };
  await installation.database.billingAccount.upsert({ where: { organizationId }, create, update: webhook });
  await installation.database.webhookDelivery.deleteMany({ where: { organizationId } });
}

async function newSilence(clusterId: string): Promise<string> {
  const id = newId();
  const until = new Date(Date.now() + 3_600_000);
  const silence = { id, clusterId, organizationId, rule: null, reason: 'Test', until, createdBy: 'somebody' };
  await installation.database.healthSilence.create({ data: { ...silence, createdAt: new Date() } });
  return id;
}

/** Routes whose permitted callers are refused by the use-case: this installation takes no cards. */
const refusedWithin = new Map([['payInvoiceByCard', 409]]);

function openedStatus({ id, answer }: Route): number {
  return refusedWithin.get(id) ?? (answer.kind === 'none' ? 204 : answer.kind === 'one' ? answer.status : 200);
}

/** The body from the document's example, with new names and future times. */
function bodyOf({ id, example = {} }: Route): Record<string, unknown> {
  const name = 'name' in example ? { name: newId() } : {};
  const until = 'until' in example ? { until: new Date(Date.now() + 3_600_000).toISOString() } : {};
  const confirmation = id === 'abortTransaction' ? { confirmation: 'transaction' } : {};
  return { ...example, ...name, ...until, ...confirmation };
}

/** Creates the objects that a route's inputs name, bypassing the API so that no permission is needed. */
async function newInputs(route: Route): Promise<Record<string, string>> {
  const clusterId = newId();
  const clusterName = `target ${clusterId}`;
  // Purges earlier ones: an organization may have 200, including deleted ones.
  await installation.database.agentKey.deleteMany({ where: { organizationId } });
  await installation.database.virtualCluster.deleteMany({ where: { organizationId } });
  await installation.database.virtualCluster.create({
    data: {
      id: clusterId,
      organizationId,
      name: clusterName,
      cloud: 'aws',
      region: 'x',
      deletionProtection: false,
      deletedAt: route.id === 'restoreCluster' ? new Date() : null,
    },
  });
  if (permissionOf(route) === 'sso:write') {
    await newSsoConnection();
  }
  if (route.id === 'createScimToken') {
    await installation.database.scimToken.deleteMany({ where: { organizationId } });
  }
  if (route.id === 'testWebhook') {
    await newWebhook();
  }
  const made: Record<string, () => Promise<string>> = {
    domainId: newSsoDomain,
    tokenId: newScimToken,
    agentKeyId: async () => {
      const id = newId();
      const hash = new TextEncoder().encode(id);
      const display = { displayPrefix: 'p', displayLast4: 'l' };
      await installation.database.agentKey.create({
        data: { id, clusterId, organizationId, name: 'key', hash, ...display },
      });
      return id;
    },
    apiKeyId: async () => (await newKeyRow(organizationId, 'viewer')).id,
    userId: async () => (await installation.newPerson({ organizationId, role: 'viewer' })).user.id,
    invitationId: async () => {
      const id = newId();
      const expiresAt = new Date(Date.now() + 60_000);
      await installation.database.invitation.create({
        data: {
          id,
          organizationId,
          email: `${id}@example.com`,
          role: 'viewer',
          status: 'pending',
          expiresAt,
          inviterId,
        },
      });
      return id;
    },
    invoiceId: () => newInvoice(installation.database, { organizationId, clusterId }),
    invoice: () => newInvoice(installation.database, { organizationId, clusterId }),
    clusterId: async () => clusterId,
    host: async () => {
      const host = `${newId()}.internal`;
      await installation.database.agentAddress.create({ data: { clusterId, organizationId, host, state: 'pending' } });
      return host;
    },
    name: async () => 'greetings',
    groupId: async () => 'group',
    transactionalId: async () => 'transaction',
    ...(route.id === 'previewConsumerGroupReset' ? { topic: async () => 'greetings', to: async () => 'earliest' } : {}),
    user: async () => 'alice',
    principal: async () => 'User:alice',
    confirmation: async () =>
      route.id === 'deleteTopic' ? 'greetings' : route.id === 'deleteConsumerGroup' ? 'group' : clusterName,
    metric: async () => 'latency.produce',
    metrics: async () => 'latency.produce',
    agentId: async () => 'agent-1',
    clientId: async () => 'app',
    position: async () => '1',
    silenceId: () => newSilence(clusterId),
    fromMs: async () => String(Date.now() - 60_000),
    toMs: async () => String(Date.now()),
  };
  const { query } = inputsOf(route);
  const wanted = [...pathNames(route.path), ...Object.keys(query.shape).filter((name) => name in made)];
  const inputs: Record<string, string> = {};
  for (const name of wanted) {
    const make = made[name];
    if (make === undefined) {
      throw new Error(`The matrix does not know what ${name} of ${route.path} is.`);
    }
    inputs[name] = await make();
  }
  return inputs;
}

/** The objects of the last calls of a route, which no call has changed. Creating them takes most of a call's time. */
let untouched: { route: Route; inputs: Record<string, string> } | undefined;

async function call(route: Route, plaintext: string | undefined): Promise<{ status: number; text: string }> {
  if (untouched?.route !== route) {
    untouched = { route, inputs: await newInputs(route) };
  }
  const answer = await callWith(route, plaintext, untouched.inputs);
  if (isChange(route) && answer.status < 400) {
    untouched = undefined;
  }
  return answer;
}

async function callWith(
  route: Route,
  plaintext: string | undefined,
  inputs: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => inputs[name] ?? '');
  const inPath = new Set(pathNames(route.path));
  const query = new URLSearchParams(Object.entries(inputs).filter(([name]) => !inPath.has(name)));
  const hasBody = inputsOf(route).body !== null;
  const response = await fetchRest(
    installation.backend({ metadata: populatedMetadata }),
    new Request(`http://localhost:3000/api/v1${path}${query.size === 0 ? '' : `?${query}`}`, {
      method: route.method.toUpperCase(),
      headers: {
        ...(plaintext === undefined ? {} : { authorization: `Bearer ${plaintext}` }),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody ? { body: JSON.stringify(bodyOf(route)) } : {}),
    }),
  );
  return { status: response.status, text: await response.text() };
}

/** The permission of the operation behind a route. */
function permissionOf(route: Route): Permission {
  const permission = permissions.find((known) => known === operationsByPath.get(route.procedure)?.access);
  if (permission === undefined) {
    throw new Error(`${route.procedure} is no operation for members.`);
  }
  return permission;
}

/** The status for a key without a role: clusters do not exist for it, so lists of them are empty. */
function withoutRole(route: Route): number {
  const { isFiltered = false, isOrganizationWide = false } = operationsByPath.get(route.procedure) ?? {};
  if (!isClusterPermission(permissionOf(route)) || isOrganizationWide) {
    return 403;
  }
  if (isFiltered) {
    return 200;
  }
  // Usage of the cluster in the query.
  return pathNames(route.path).length > 0 || route.path === '/usage' ? 404 : 403;
}

const isChange = (route: Route) => route.method !== 'get';
const title = (route: Route) => `${route.method.toUpperCase()} ${route.path}`;

test('the table contains every route once', () => {
  expect(new Set(routes.map(title)).size).toBe(routes.length);
  expect(routes.length).toBeGreaterThan(70);
});

describe.each(routes.map((route) => [title(route), route] as const))('%s', (_title, route) => {
  test('is open to exactly the roles that hold its permission', async () => {
    const permission = permissionOf(route);
    const outcomes: Record<string, number> = {};
    for (const role of roles) {
      outcomes[role] = (await call(route, keys.get(role))).status;
    }
    outcomes['nobody'] = (await call(route, undefined)).status;
    outcomes['readOnly'] = (await call(route, keys.get('read-only'))).status;
    const opened = openedStatus(route);
    expect(outcomes).toEqual({
      ...Object.fromEntries(
        roles.map((role) => [role, isAllowed(role, permission) ? opened : role === 'none' ? withoutRole(route) : 403]),
      ),
      nobody: 401,
      readOnly: isChange(route) ? 403 : opened,
    });
  });

  test('reveals nothing of another organization', async () => {
    const { status, text } = await call(route, keys.get('stranger'));
    if (pathNames(route.path).length > 0) {
      expect(status).toBe(404);
    } else if (!isChange(route)) {
      expect(text).not.toContain(organizationId);
    }
  });
});

describe('row-level security without the web layer’s checks', () => {
  afterEach(() => {
    forgedMembership.claimed = null;
  });

  const guardedTables = [
    'organization',
    'member',
    'invitation',
    'virtual_cluster',
    'agent_key',
    'api_key',
    'audit_log',
    'sso_connection',
    'sso_domain',
    'billing_account',
    'invoice',
  ] as const;

  const rowsOf = (table: (typeof guardedTables)[number]): Promise<string> =>
    rowsOfTenant(installation.database, table, organizationId);

  test.each(routes.map((route) => [title(route), route] as const))(
    'keeps %s from reading or changing another organization',
    async (_title, route) => {
      const inputs = await newInputs(route);
      const before = await Promise.all(guardedTables.map(rowsOf));
      forgedMembership.claimed = organizationId;
      forgedMembership.actual = otherOrganizationId;
      // Either an answer without any of their data, or any refusal: row-level security gives no readable errors.
      const { status, text } = await callWith(route, keys.get('stranger'), inputs);
      forgedMembership.claimed = null;
      if (pathNames(route.path).length > 0) {
        expect(status).toBeGreaterThanOrEqual(400);
      }
      if (status < 400) {
        for (const mark of [organizationId, ...Object.values(keyIds), inviterId]) {
          expect(text).not.toContain(mark);
        }
      }
      expect(await Promise.all(guardedTables.map(rowsOf))).toEqual(before);
    },
  );
});
