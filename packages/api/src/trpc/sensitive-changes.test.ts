// Which changes ask for a recent proof of identity. A mutation that is missing here fails the first test.
import type { AuthSession } from '@penstock/identity';
import { HOUR_MS } from '@penstock/units';
import { TRPCError } from '@trpc/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { appRouter } from '../app-router.ts';
import { setUpInstallation } from '../testing/installation.ts';
import type { ApiContext } from './context.ts';
import type { Confirmation } from './trpc.ts';

/** What an intruder at an open session could keep, or use to lock others out. */
const sensitive: Readonly<Record<string, Confirmation>> = {
  'organization.setTwoFactorDemand': 'always',
  'organization.delete': 'always',
  'sso.update': 'always',
  'sso.remove': 'always',
  'sso.addDomain': 'always',
  'sso.verifyDomain': 'always',
  'sso.removeDomain': 'always',
  'sso.createScimToken': 'always',
  'sso.revokeScimToken': 'always',
  'member.changeRole': 'always',
  'member.remove': 'always',
  'member.transferOwnership': 'always',
  'invitation.create': 'for-owner-role',
  'apiKey.create': 'always',
  'apiKey.rotate': 'always',
  'access.updateSettings': 'always',
  'billing.updateBudget': 'always',
  'billing.updateWebhook': 'always',
};

/** Daily work, changes to one’s own account that ask by themselves, and changes that only take rights away. */
const ordinary: readonly string[] = [
  'account.revokeSession',
  'organization.create',
  'organization.setActive',
  'organization.restore',
  'member.leave',
  'invitation.preview',
  'invitation.accept',
  'invitation.revoke',
  'cluster.create',
  'cluster.rename',
  'cluster.updateSettings',
  'cluster.delete',
  'cluster.restore',
  'agentKey.create',
  'agentKey.update',
  'agentKey.revoke',
  'agentKey.confirmAddress',
  'agentKey.removeAddress',
  'apiKey.revoke',
  'topic.create',
  'topic.delete',
  'topic.alterConfigs',
  'topic.createBrowseToken',
  'group.resetOffsets',
  'group.delete',
  'transaction.abort',
  'access.putUserCredential',
  'access.deleteUser',
  'access.createAcls',
  'access.deleteAcls',
  'access.setQuota',
  'health.chooseRecipient',
  'health.createSilence',
  'health.endSilence',
  'billing.sendTestWebhook',
  'billing.updateDetails',
  'billing.startPaymentSetup',
  'billing.completePaymentSetup',
  'billing.openPaymentPortal',
  'billing.payInvoiceByCard',
];

interface Built {
  _def: { type: string; meta: { confirmation?: Confirmation } };
}

const installation = setUpInstallation();
let organizationId: string;
let owner: AuthSession;

beforeAll(async () => {
  organizationId = await installation.newOrganization();
  owner = await installation.newPerson({ organizationId, role: 'owner' });
});

type Call = (input?: unknown) => Promise<unknown>;

function callOf(path: string, session: AuthSession): Call {
  const [group = '', name = ''] = path.split('.');
  const caller = installation.caller(session) as unknown as Record<string, Record<string, Call>>;
  const call = caller[group]?.[name];
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

test('every mutation either asks or is known not to', () => {
  const built = Object.entries(appRouter._def.procedures as unknown as Record<string, Built>)
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([path, { _def }]) => [path, _def.meta.confirmation]);
  const listed = [...Object.entries(sensitive), ...ordinary.map((path) => [path, undefined])];
  expect(built.sort()).toEqual(listed.sort());
});

describe.each(Object.entries(sensitive))('%s', (path, confirmation) => {
  const input = confirmation === 'for-owner-role' ? { role: 'owner' } : {};

  test('is refused an hour after the sign-in, and gets past that once the identity is confirmed', async () => {
    expect(await refusalOf(callOf(path, signedInLongAgo())(input))).toBe('reauthentication_required');
    expect(await refusalOf(callOf(path, owner)(input))).not.toBe('reauthentication_required');
  });
});

test('a role that does not allow the change is refused as such: a confirmation would not help', async () => {
  const viewer = await installation.newPerson({ organizationId, role: 'viewer' });
  const call = callOf('sso.remove', { ...viewer, confirmedAt: new Date(0) });
  expect(await refusalOf(call())).toBe('role_insufficient');
});

test('an invitation asks only if it makes an owner', async () => {
  const invite = callOf('invitation.create', signedInLongAgo());
  expect(await refusalOf(invite({ email: 'ada@example.com', role: 'admin' }))).toBe('ok');
  expect(await refusalOf(invite({ email: 'eve@example.com', role: 'owner' }))).toBe('reauthentication_required');
});

test('a program is not asked: its key has the rights of its role', async () => {
  const key = {
    apiKeyId: 'key',
    name: 'key',
    organizationId,
    organizationName: 'Acme',
    role: 'owner' as const,
    clusterRoles: {},
  };
  const api: ApiContext['api'] = { key: { ...key, isReadOnly: false }, aroundChange: (_scope, change) => change() };
  const backend = installation.backend();
  const caller = appRouter.createCaller({
    backend,
    session: null,
    organizationId: null,
    api,
    now: new Date(),
    address: '198.51.100.7',
  });
  expect(await refusalOf(caller.billing.updateWebhook({ webhookUrl: null }))).toBe('ok');
});
