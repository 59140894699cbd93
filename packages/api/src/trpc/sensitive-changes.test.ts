// Changes that declare so ask for a recent proof of identity. `operations.golden.txt` lists which do.
import type { AuthSession } from '@penstock/identity';
import { HOUR_MS } from '@penstock/units';
import { TRPCError } from '@trpc/server';
import { beforeAll, expect, test } from 'vitest';
import { appRouter } from '../app-router.ts';
import type { Confirmation } from '../operation/confirmation.ts';
import { operationsByPath } from '../operations-by-path.ts';
import { routes } from '../rest/routes.ts';
import { setUpInstallation } from '../testing/installation.ts';
import type { ApiContext } from './context.ts';

/** An input that asks, for changes that ask depending on it. */
const asking: Readonly<Record<Confirmation, object>> = {
  always: {},
  'for-roles-above-viewer': { role: 'billing' },
  'for-less-protection': { deletionProtection: false },
  'for-deleting-records': { configs: { 'retention.ms': '1' } },
};

/**
 * Changes with which an intruder in an open session could persist, destroy data, or lock others out, each with a valid
 * input.
 */
const sensitive = new Map(
  [...operationsByPath].flatMap(([path, { confirmation }]) =>
    typeof confirmation === 'string' ? [[path, asking[confirmation]] as const] : [],
  ),
);

const installation = setUpInstallation();
let organizationId: string;
let owner: AuthSession;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  owner = await installation.newPerson({ organizationId, role: 'owner' });
});

type Call = (input?: unknown) => Promise<unknown>;

function callOf(path: string, session: AuthSession): Call {
  return callIn(installation.caller(session), path);
}

function callIn(caller: unknown, path: string): Call {
  const [group = '', name = ''] = path.split('.');
  const call = (caller as Record<string, Record<string, Call>>)[group]?.[name];
  if (call === undefined) {
    throw new Error(`There is no procedure ${path}.`);
  }
  return call;
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'ok',
    (error: unknown) => {
      const cause = error instanceof TRPCError ? error.cause : undefined;
      return cause !== undefined && 'code' in cause ? String(cause.code) : 'something else';
    },
  );
}

const signedInLongAgo = (): AuthSession => ({ ...owner, confirmedAt: new Date(Date.now() - HOUR_MS) });

test('every mutation either asks, or has a reason not to', () => {
  const mutations = [...operationsByPath.values()].filter(({ type }) => type === 'mutation');
  expect(sensitive.size).toBeGreaterThan(20);
  for (const { confirmation } of mutations) {
    expect(typeof confirmation === 'string' || (confirmation?.not ?? '') !== '').toBe(true);
  }
});

test('operations that only read never ask', () => {
  const readers = [...operationsByPath.values()].filter(({ type }) => type !== 'mutation');
  expect(readers.length).toBeGreaterThan(0);
  expect(readers.filter(({ confirmation }) => confirmation !== undefined)).toEqual([]);
});

test.each([...sensitive].map(([path, input]) => ({ path, input })))(
  '$path needs confirmation an hour after the sign-in',
  async ({ path, input }) => {
    expect(await refusalOf(callOf(path, signedInLongAgo())(input))).toBe('reauthentication_required');
    expect(await refusalOf(callOf(path, owner)(input))).not.toBe('reauthentication_required');
  },
);

// A confirmation would not help.
test('a role without the right is refused before any question', async () => {
  const viewer = await installation.newPerson({ organizationId, role: 'viewer' });
  const call = callOf('sso.remove', { ...viewer, confirmedAt: new Date(0) });
  expect(await refusalOf(call())).toBe('role_insufficient');
});

const viewerOf = (role: string) => ({
  role: 'viewer',
  clusterRoles: [{ clusterId: '01980000-0000-7000-8000-000000000001', role }],
});

test.each<[path: string, isAsked: boolean, input: object]>([
  ['invitation.create', false, { role: 'viewer' }],
  ['invitation.create', false, { role: 'none', clusterRoles: [] }],
  ['invitation.create', false, viewerOf('viewer')],
  ['invitation.create', true, viewerOf('operator')],
  ['invitation.create', true, { role: 'viewer', clusterRoles: { role: 'viewer' } }],
  ['invitation.create', true, { role: 'operator' }],
  ['invitation.create', true, { role: 'owner' }],
  ['invitation.create', true, { role: ['viewer'] }],
  ['cluster.update', false, { deletionProtection: true, confirmAgentAddresses: true }],
  ['cluster.update', false, { allowAgentAdministration: false, mode: 'fast' }],
  ['cluster.update', true, { confirmAgentAddresses: false }],
  ['cluster.update', true, { allowAgentAdministration: true }],
  ['topic.update', false, { configs: { 'max.message.bytes': '1000' } }],
  ['topic.update', true, { configs: { 'retention.bytes': '1' } }],
  ['topic.update', true, { configs: { 'cleanup.policy': null } }],
])('%s asks: %s for %j', async (path, isAsked, input) => {
  const refusal = await refusalOf(callOf(path, signedInLongAgo())(input));
  expect(refusal === 'reauthentication_required').toBe(isAsked);
});

// Creating their key was confirmed, and it has the rights of its role.
test('never asks a program for confirmation', async () => {
  const key = {
    apiKeyId: 'key',
    name: 'key',
    organizationId,
    organizationName: 'Acme',
    role: 'owner' as const,
    clusterRoles: {},
  };
  const api: ApiContext['api'] = {
    key: { ...key, isReadOnly: false },
    aroundChange: (_scope, change) => change(),
    slice: undefined,
  };
  const caller = appRouter.createCaller({
    backend: installation.backend(),
    session: null,
    organizationId: null,
    api,
    now: new Date(),
    address: '198.51.100.7',
  });
  const served = routes.filter(({ procedure }) => sensitive.has(procedure));
  expect(served.length).toBeGreaterThan(0);
  for (const { procedure } of served) {
    expect(await refusalOf(callIn(caller, procedure)(sensitive.get(procedure))), procedure).not.toBe(
      'reauthentication_required',
    );
  }
  expect(await refusalOf(caller.billing.updateWebhook({ webhookUrl: null }))).toBe('ok');
});
