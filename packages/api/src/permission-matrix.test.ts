// Calls every operation as every kind of caller. Who may call it, and what else is expected, is in its declaration.
import type { AuthSession } from '@penstock/identity';
import { clusterRoleNames, isAllowed, isClusterPermission, roles } from '@penstock/tenancy';
import { TRPCError } from '@trpc/server';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Operation, operationsByPath } from './operations-by-path.ts';
import { setUpInstallation } from './testing/installation.ts';
import { isOnDeleted, newTarget, type Target } from './testing/new-target.ts';
import { readAll } from './testing/read-all.ts';
import { rowsOfTenant } from './testing/rows-of-tenant.ts';
import { sampleInput } from './testing/sample-input.ts';

/**
 * Disables the web layer's checks: it believes that the user owns an organization, while the database gets the real
 * one.
 */
const forgedMembership = vi.hoisted(() => ({ claimed: null as string | null, actual: '' }));
vi.mock('../../identity/src/organization/list-memberships.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../identity/src/organization/list-memberships.ts')>();
  const listMemberships: typeof original.listMemberships = async (tx, userId) =>
    forgedMembership.claimed === null
      ? original.listMemberships(tx, userId)
      : [{ organizationId: forgedMembership.claimed, organizationName: 'Acme', role: 'owner', clusterRoles: {} }];
  return { ...original, listMemberships };
});
vi.mock('../../tenancy/src/access/scope.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../tenancy/src/access/scope.ts')>();
  const inTenant: typeof original.inTenant = (database, organizationId, work) =>
    original.inTenant(database, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, work);
  const readInTenant: typeof original.readInTenant = (reads, organizationId, ...read) =>
    original.readInTenant(reads, forgedMembership.claimed === null ? organizationId : forgedMembership.actual, ...read);
  return { ...original, inTenant, readInTenant };
});

/**
 * Names that make a call one about an object of a tenant: a user of another organization, whatever their role there, must
 * get "not found".
 */
const namesOfTargets = [
  'clusterId',
  'agentKeyId',
  'apiKeyId',
  'organizationId',
  'userId',
  'invitationId',
  'silenceId',
  'invoiceId',
  'invoice',
  'domainId',
  'tokenId',
] as const satisfies (keyof Target)[];

/** Where this installation refuses permitted callers. Of everything else, they get an answer. */
const refusals: ReadonlyMap<string, string> = new Map([
  // It belongs to one user, and does not exist for anybody else.
  ['account.revokeSession', 'NOT_FOUND'],
  ['organization.restore', 'NOT_FOUND'],
  ['organization.exportDeleted', 'NOT_FOUND'],
  ['invitation.accept', 'NOT_FOUND'],
  // No key calls.
  ['apiKey.current', 'NOT_FOUND'],
  // The metadata service of this test has no topics, groups and transactions.
  ['topic.get', 'NOT_FOUND'],
  ['topic.configs', 'NOT_FOUND'],
  ['topic.createBrowseToken', 'NOT_FOUND'],
  ['group.get', 'NOT_FOUND'],
  ['group.previewReset', 'NOT_FOUND'],
  ['group.resetOffsets', 'NOT_FOUND'],
  ['transaction.get', 'NOT_FOUND'],
  // The name is mistyped, so that no other test loses its organization.
  ['organization.delete', 'BAD_REQUEST'],
  // There are no Stripe keys and no webhook.
  ['billing.payInvoiceByCard', 'PRECONDITION_FAILED'],
  ['billing.startPaymentSetup', 'PRECONDITION_FAILED'],
  ['billing.completePaymentSetup', 'PRECONDITION_FAILED'],
  ['billing.openPaymentPortal', 'PRECONDITION_FAILED'],
  ['billing.sendTestWebhook', 'PRECONDITION_FAILED'],
]);

/** Calls that find nothing to change: it is so from the start, or since an earlier call, or there is nothing. */
const unchanging: ReadonlySet<string> = new Set([
  'organization.setTwoFactorDemand',
  'organization.setSessionLifetime',
  'member.changeRole',
  'sso.verifyDomain',
  'access.deleteAcls',
  'billing.updateDetails',
]);

interface Row extends Operation {
  path: string;
  /** The outcome of a permitted call. */
  opened: string;
  isAboutATarget: boolean;
}

function rowOf(path: string, operation: Operation): Row {
  const { input } = operation;
  const isAboutATarget = input instanceof z.ZodObject && namesOfTargets.some((name) => name in input.shape);
  return { ...operation, path, opened: refusals.get(path) ?? 'ok', isAboutATarget };
}

const installation = setUpInstallation();

function inputFor(row: Row, target: Target): Record<string, unknown> | undefined {
  switch (row.path) {
    case 'invitation.accept':
      return { invitationId: target.invitationId };
    case 'billing.updateWebhook':
      return { webhookUrl: null };
    default:
      return sampleInput(row, { ...target });
  }
}

type Call = (input?: unknown) => Promise<unknown>;

async function callAs(session: AuthSession | null, row: Row, target: Target): Promise<unknown> {
  const [group = '', name = ''] = row.path.split('.');
  const call = (installation.caller(session) as unknown as Record<string, Record<string, Call>>)[group]?.[name];
  if (call === undefined) {
    throw new Error(`There is no procedure ${row.path}.`);
  }
  return readAll(await call(inputFor(row, target)));
}

const matrix = [...operationsByPath].map(([path, operation]) => rowOf(path, operation));

let organizationId: string;
let otherOrganizationId: string;
let owner: AuthSession;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  otherOrganizationId = await installation.newOrganization();
  // So that everybody else may leave.
  owner = await installation.newPerson({ organizationId, role: 'owner' });
  await installation.newPerson({ organizationId: otherOrganizationId, role: 'owner' });
});

/** Whether a role for the target's cluster can open it. */
function isAboutACluster({ access, isFiltered, isOrganizationWide }: Row): boolean {
  const isOfClusters = access !== 'anyone' && access !== 'signed-in' && isClusterPermission(access);
  return isOfClusters && !isFiltered && !isOrganizationWide;
}

/** The kind of target that `newTarget` creates for a row. */
function kindOf(row: Row): string {
  const { access } = row;
  return `${access === 'api-key:write' || access === 'sso:write' ? access : ''} ${isOnDeleted(row)}`;
}

/** The objects and people of the last calls, which only queries and refused calls have seen. */
let untouched: { kind: string; target: Target; people: Map<string, AuthSession> } | undefined;

/** Objects that no call has changed. Creating them takes most of a call's time. */
async function targetFor(row: Row): Promise<Target> {
  if (untouched?.kind !== kindOf(row)) {
    untouched = {
      kind: kindOf(row),
      target: await newTarget(installation, row, { organizationId, otherOrganizationId, owner }),
      people: new Map(),
    };
  }
  return untouched.target;
}

/** A person whom no call has changed. */
async function personFor(row: Row, ...member: Parameters<typeof installation.newPerson>): Promise<AuthSession> {
  await targetFor(row);
  const key = JSON.stringify(member);
  const person = untouched?.people.get(key) ?? (await installation.newPerson(...member));
  untouched?.people.set(key, person);
  return person;
}

/** `ok`, or the tRPC code of the refusal. */
async function outcome(row: Row, session: AuthSession | null): Promise<string> {
  const target = await targetFor(row);
  try {
    await callAs(session, row, target);
    if (row.type !== 'query') {
      untouched = undefined;
    }
    return 'ok';
  } catch (error) {
    if (error instanceof TRPCError) {
      return error.code;
    }
    throw error;
  }
}

const reasonIn = (given: Operation['confirmation'] | Operation['audit']): string =>
  given === undefined ? '' : Array.isArray(given) ? given.join(', ') : typeof given === 'string' ? given : '–';

test('permissions match the reviewed matrix', async () => {
  const lines = matrix.map(({ path, type, access, isFiltered, isOrganizationWide, confirmation, audit, routes }) =>
    [
      `${path} (${type})`,
      `${access}${isFiltered ? ', filtered' : ''}${isOrganizationWide ? ', for the organization' : ''}`,
      reasonIn(confirmation),
      reasonIn(audit),
      routes.map(({ method, path: address }) => `${method.toUpperCase()} ${address}`).join(', '),
    ]
      .join(' | ')
      .trimEnd(),
  );
  // Loosened by mistake, a declaration would loosen all tests that follow from it. After a change on purpose, run this file with -u.
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./operations.golden.txt');
});

describe.each(matrix.map((row) => [row.path, row] as const))('%s', (_path, row) => {
  const { access, opened } = row;
  const isForAll = access === 'anyone' || access === 'signed-in';

  test('an anonymous caller', async () => {
    expect(await outcome(row, null)).toBe(access === 'anyone' ? 'ok' : 'UNAUTHORIZED');
  });

  test.each(roles)('a member with the role %s', async (role) => {
    const isOpen = isForAll || isAllowed(role, access) || row.isFiltered;
    const member = await personFor(row, { organizationId, role });
    // Without a role for it, a cluster does not exist.
    const refused = role === 'none' && isAboutACluster(row) ? 'NOT_FOUND' : 'FORBIDDEN';
    expect(await outcome(row, member)).toBe(isOpen ? opened : refused);
  });

  test.each(clusterRoleNames)('a member with only the role %s for the cluster', async (role) => {
    const target = await targetFor(row);
    const clusterRoles = { [target.clusterId]: role };
    const member = await personFor(row, { organizationId, role: 'none', clusterRoles });
    const isOpen =
      isForAll || isAllowed('none', access) || row.isFiltered || (isAboutACluster(row) && isAllowed(role, access));
    expect(await outcome(row, member)).toBe(isOpen ? opened : 'FORBIDDEN');
  });

  test('the audit log gets exactly what the operation declares', async () => {
    const session = await personFor(row, { organizationId, role: 'owner' });
    const rowsOfCaller = () => installation.database.auditLog.findMany({ where: { actorId: session.user.id } });
    const before = await rowsOfCaller();
    const called = await outcome(row, session);
    const known = new Set(before.map(({ id }) => id));
    const written = (await rowsOfCaller()).filter(({ id }) => !known.has(id)).map(({ action }) => action);
    const declared: readonly string[] = 'not' in row.audit ? [] : row.audit;
    expect(written.filter((action) => !declared.includes(action))).toEqual([]);
    if (called === 'ok' && !unchanging.has(row.path)) {
      expect(written.length > 0).toBe(declared.length > 0);
    }
  });

  test('the owner of another organization', async () => {
    const stranger = await personFor(row, { organizationId: otherOrganizationId, role: 'owner' });
    expect(await outcome(row, stranger)).toBe(row.isAboutATarget ? 'NOT_FOUND' : opened);
  });

  test('a user without an organization', async () => {
    const expected = row.isAboutATarget ? 'NOT_FOUND' : opened;
    expect(await outcome(row, await personFor(row))).toBe(isForAll ? expected : 'PRECONDITION_FAILED');
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
    'audit_log',
    'sso_connection',
    'sso_domain',
  ] as const;

  const rowsOf = (table: (typeof guardedTables)[number]): Promise<string> =>
    rowsOfTenant(installation.database, table, organizationId);

  const forMembers = matrix
    .filter(({ access }) => access !== 'anyone' && access !== 'signed-in')
    .map((row) => [row.path, row] as const);

  test.each(forMembers)('keeps %s from reading or changing another organization', async (_path, row) => {
    const stranger = await installation.newPerson({ organizationId: otherOrganizationId, role: 'owner' });
    const target = await targetFor(row);
    const before = await Promise.all(guardedTables.map(rowsOf));
    forgedMembership.claimed = organizationId;
    forgedMembership.actual = otherOrganizationId;
    // Either an answer without any of their data, or any refusal: row-level security gives no readable errors.
    const answer = await callAs(stranger, row, target).then(
      (result) => JSON.stringify(result, (_key, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '',
      (error: unknown) => (error instanceof TRPCError ? 'refused' : Promise.reject(error)),
    );
    forgedMembership.claimed = null;
    if (row.isAboutATarget) {
      expect(answer).toBe('refused');
    }
    for (const mark of [target.clusterName, target.userId, target.invitationId, target.agentKeyId]) {
      expect(answer).not.toContain(mark);
    }
    expect(await Promise.all(guardedTables.map(rowsOf))).toEqual(before);
  });
});
