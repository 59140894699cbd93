// Which changes ask for a recent proof of identity. A mutation that is missing here fails the first test.
import type { AuthSession } from '@penstock/identity';
import { HOUR_MS } from '@penstock/units';
import { TRPCError } from '@trpc/server';
import { beforeAll, expect, test } from 'vitest';
import { appRouter } from '../app-router.ts';
import { routes } from '../rest/routes.ts';
import { setUpInstallation } from '../testing/installation.ts';
import type { Confirmation } from './confirmation.ts';
import type { ApiContext } from './context.ts';

/** What an intruder at an open session could keep, destroy, or use to lock others out; and an input that asks. */
const sensitive: readonly (readonly [path: string, confirmation: Confirmation, input?: object])[] = [
  ['organization.setTwoFactorDemand', 'always'],
  ['organization.setSessionLifetime', 'always'],
  ['organization.delete', 'always'],
  ['sso.update', 'always'],
  ['sso.remove', 'always'],
  ['sso.addDomain', 'always'],
  ['sso.verifyDomain', 'always'],
  ['sso.removeDomain', 'always'],
  ['sso.createScimToken', 'always'],
  ['sso.revokeScimToken', 'always'],
  ['member.changeRole', 'always'],
  ['member.remove', 'always'],
  ['member.transferOwnership', 'always'],
  ['invitation.create', 'for-roles-above-viewer', { role: 'billing' }],
  ['apiKey.create', 'always'],
  ['apiKey.rotate', 'always'],
  ['agentKey.create', 'always'],
  ['agentKey.update', 'always'],
  ['agentKey.confirmAddress', 'always'],
  ['access.putUserCredential', 'always'],
  ['access.deleteUser', 'always'],
  ['access.createAcls', 'always'],
  ['access.deleteAcls', 'always'],
  ['access.updateSettings', 'always'],
  ['cluster.updateSettings', 'for-less-protection', { deletionProtection: false }],
  ['cluster.delete', 'always'],
  ['topic.delete', 'always'],
  ['topic.alterConfigs', 'for-deleting-records', { configs: { 'retention.ms': '1' } }],
  ['billing.updateBudget', 'always'],
  ['billing.updateWebhook', 'always'],
  ['billing.updateDetails', 'always'],
];

const TAKES_RIGHTS_AWAY = 'It only takes rights away, and must not delay a person who has found an intruder.';
const OWN_ACCOUNT = 'It changes nothing but what the person sees or belongs to.';
const DAILY_WORK = 'It is daily work, gives nobody access, and deletes no records.';
const STRIPE_ASKS = 'It opens a page of Stripe’s, or settles what is owed. No address and no card is changed here.';

/** Changes that don’t ask, and why. */
const ordinary: readonly (readonly [path: string, reason: string])[] = [
  ['account.revokeSession', TAKES_RIGHTS_AWAY],
  ['organization.create', OWN_ACCOUNT],
  ['organization.setActive', OWN_ACCOUNT],
  ['organization.restore', 'It brings back what a confirmed deletion took away, for those who owned it.'],
  ['member.leave', OWN_ACCOUNT],
  ['invitation.preview', 'It changes nothing. The token must not be in a URL.'],
  ['invitation.accept', 'The token of the mail is the proof for every role above viewer.'],
  ['invitation.revoke', TAKES_RIGHTS_AWAY],
  ['cluster.create', DAILY_WORK],
  ['cluster.rename', DAILY_WORK],
  ['cluster.restore', DAILY_WORK],
  ['agentKey.revoke', TAKES_RIGHTS_AWAY],
  ['agentKey.removeAddress', TAKES_RIGHTS_AWAY],
  ['apiKey.revoke', TAKES_RIGHTS_AWAY],
  ['topic.create', DAILY_WORK],
  ['topic.createBrowseToken', 'It reads, and ends with the session or after minutes.'],
  ['group.resetOffsets', DAILY_WORK],
  ['group.delete', DAILY_WORK],
  ['transaction.abort', DAILY_WORK],
  ['access.setQuota', DAILY_WORK],
  ['health.chooseRecipient', DAILY_WORK],
  ['health.createSilence', DAILY_WORK],
  ['health.endSilence', DAILY_WORK],
  ['billing.sendTestWebhook', DAILY_WORK],
  ['billing.startPaymentSetup', STRIPE_ASKS],
  ['billing.completePaymentSetup', STRIPE_ASKS],
  ['billing.openPaymentPortal', STRIPE_ASKS],
  ['billing.payInvoiceByCard', STRIPE_ASKS],
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

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, Built>);
const asking = new Set(sensitive.map(([path]) => path));

test('every mutation either asks, or has a reason not to', () => {
  const built = procedures
    .filter(([, { _def }]) => _def.type === 'mutation')
    .map(([path, { _def }]) => [path, _def.meta.confirmation]);
  const listed = [...sensitive.map(([path, when]) => [path, when]), ...ordinary.map(([path]) => [path, undefined])];
  expect(built.sort()).toEqual(listed.sort());
});

test('nothing that only reads asks: what is read ends with the session', () => {
  const readers = procedures.filter(([, { _def }]) => _def.type !== 'mutation');
  expect(readers.length).toBeGreaterThan(0);
  expect(readers.filter(([, { _def }]) => _def.meta.confirmation !== undefined)).toEqual([]);
});

test.each(sensitive.map(([path, , input]) => ({ path, input: input ?? {} })))(
  '$path is refused an hour after the sign-in, and done once confirmed',
  async ({ path, input }) => {
    expect(await refusalOf(callOf(path, signedInLongAgo())(input))).toBe('reauthentication_required');
    expect(await refusalOf(callOf(path, owner)(input))).not.toBe('reauthentication_required');
  },
);

test('a role that does not allow the change is refused as such: a confirmation would not help', async () => {
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
  ['cluster.updateSettings', false, { deletionProtection: true, confirmAgentAddresses: true }],
  ['cluster.updateSettings', false, { allowAgentAdministration: false, mode: 'fast' }],
  ['cluster.updateSettings', true, { confirmAgentAddresses: false }],
  ['cluster.updateSettings', true, { allowAgentAdministration: true }],
  ['topic.alterConfigs', false, { configs: { 'max.message.bytes': '1000' } }],
  ['topic.alterConfigs', true, { configs: { 'retention.bytes': '1' } }],
  ['topic.alterConfigs', true, { configs: { 'cleanup.policy': null } }],
])('%s asks: %s for %j', async (path, isAsked, input) => {
  const refusal = await refusalOf(callOf(path, signedInLongAgo())(input));
  expect(refusal === 'reauthentication_required').toBe(isAsked);
});

test('no operation asks a program: its key has the rights of its role, and creating it was confirmed', async () => {
  const key = {
    apiKeyId: 'key',
    name: 'key',
    organizationId,
    organizationName: 'Acme',
    role: 'owner' as const,
    clusterRoles: {},
  };
  const api: ApiContext['api'] = { key: { ...key, isReadOnly: false }, aroundChange: (_scope, change) => change() };
  const caller = appRouter.createCaller({
    backend: installation.backend(),
    session: null,
    organizationId: null,
    api,
    now: new Date(),
    address: '198.51.100.7',
  });
  const served = routes.filter(({ procedure }) => asking.has(procedure));
  expect(served.length).toBeGreaterThan(0);
  for (const { procedure } of served) {
    const input = sensitive.find(([path]) => path === procedure)?.[2] ?? {};
    expect(await refusalOf(callIn(caller, procedure)(input)), procedure).not.toBe('reauthentication_required');
  }
  expect(await refusalOf(caller.billing.updateWebhook({ webhookUrl: null }))).toBe('ok');
});
