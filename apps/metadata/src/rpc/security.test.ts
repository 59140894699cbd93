// Users, ACLs and quotas through the calls of agents and of the control plane.
import { create } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  AclMode,
  AdminUpdateSecuritySettingsRequestSchema,
  AlterClientQuotasRequestSchema,
  AlterUserScramCredentialsRequestSchema,
  AuthenticationRequirement,
  CreateAclsRequestSchema,
  DeleteAclsRequestSchema,
  DescribeSecurityResponseSchema,
  ScramMechanism,
  WatchEventSchema,
  type WatchRequest,
} from '@penstock/metadata-protocol';
import { beforeEach, expect, test } from 'vitest';
import type { Owner } from '../owners/owner.ts';
import { ClusterFixture } from '../testing/cluster-fixture.ts';
import { alterClientQuotasIn } from './alter-client-quotas.ts';
import { alterUserScramCredentialsIn } from './alter-user-scram-credentials.ts';
import { createAclsIn } from './create-acls.ts';
import { deleteAclsIn } from './delete-acls.ts';
import { describeSecurityIn } from './describe-security.ts';
import { updateSecuritySettingsIn } from './update-security-settings.ts';
import { watch } from './watch.ts';

let fixture: ClusterFixture;
let owner: Owner;

beforeEach(async () => {
  fixture = new ClusterFixture();
  owner = await fixture.open();
});

const binding = {
  resourceType: 2,
  resourceName: 'orders',
  patternType: 3,
  principal: 'User:alice',
  host: '*',
  operation: 3,
  permissionType: 3,
};
const credential = {
  user: 'alice',
  mechanism: ScramMechanism.SHA_256,
  salt: Uint8Array.of(1, 2),
  storedKey: new Uint8Array(32).fill(1),
  serverKey: new Uint8Array(32).fill(2),
  iterations: 8_192,
};

async function state() {
  const { state: found } = create(DescribeSecurityResponseSchema, await describeSecurityIn(owner));
  return found;
}

async function refusalOf(call: Promise<unknown>): Promise<{ code: Code; message: string }> {
  const error = ConnectError.from(await call.catch((cause: unknown) => cause));
  return { code: error.code, message: error.rawMessage };
}

const update = (settings: { aclMode?: AclMode; superUsers?: string[] }, expectedVersion = 0n) =>
  updateSecuritySettingsIn(owner, create(AdminUpdateSecuritySettingsRequestSchema, { settings, expectedVersion }));

/** The first event of a new stream. */
async function firstEvent() {
  const aborted = new AbortController();
  const context = {
    owner,
    context: { signal: aborted.signal },
    clock: fixture.clock,
    accessEnd: async () => undefined,
    scope: 'agent' as const,
  };
  try {
    for await (const event of watch(context, { agentId: 'agent' } as WatchRequest)) {
      return create(WatchEventSchema, event);
    }
  } finally {
    aborted.abort();
  }
  return undefined;
}

test('a stream starts with the security state, from version 0 on', async () => {
  expect((await firstEvent())?.security).toMatchObject({
    version: 0n,
    settings: {
      superUsers: [],
      allowEveryoneIfNoAclFound: false,
      aclMode: AclMode.DISABLED,
      authentication: AuthenticationRequirement.WHEN_CREDENTIALS_EXIST,
    },
    credentials: [],
    acls: [],
    quotas: [],
  });
});

test('a stream starts with every user, ACL, quota and setting', async () => {
  const expiresAtMs = BigInt(fixture.clock.nowMs() + 1_000);
  const upserts = [{ ...credential, expiresAtMs }];
  await alterUserScramCredentialsIn(owner, create(AlterUserScramCredentialsRequestSchema, { upserts }));
  await createAclsIn(owner, create(CreateAclsRequestSchema, { bindings: [binding] }));
  const alterations = [
    { user: 'alice', clientId: '', ops: [{ key: 'producer_byte_rate', value: 1_000 }] },
    { clientId: 'app', ops: [{ key: 'request_percentage', value: 0.5 }] },
  ];
  await alterClientQuotasIn(owner, create(AlterClientQuotasRequestSchema, { alterations }));
  await update({ aclMode: AclMode.ENFORCED, superUsers: ['User:admin'] });
  const security = (await firstEvent())?.security;
  const createdAtMs = BigInt(fixture.clock.nowMs());
  expect(security).toMatchObject({
    version: 4n,
    settings: { superUsers: ['User:admin'], aclMode: AclMode.ENFORCED },
    credentials: [{ ...credential, expiresAtMs, createdAtMs }],
    acls: [binding],
    quotas: [
      { user: 'alice', clientId: '', producerByteRate: 1_000 },
      { clientId: 'app', requestPercentage: 0.5 },
    ],
  });
  expect(security?.quotas[1]?.user).toBeUndefined();
  expect(security?.quotas[0]?.consumerByteRate).toBeUndefined();
  expect(await state()).toEqual(security);
});

test('an expiry beyond the calendar becomes its last date', async () => {
  const upserts = [{ ...credential, expiresAtMs: 2n ** 53n - 1n }];
  await alterUserScramCredentialsIn(owner, create(AlterUserScramCredentialsRequestSchema, { upserts }));
  const expiry = Number((await state())?.credentials[0]?.expiresAtMs);
  expect(new Date(expiry).toISOString()).toBe('+275760-09-13T00:00:00.000Z');
});

test('absent fields of an ACL filter match everything', async () => {
  await createAclsIn(owner, create(CreateAclsRequestSchema, { bindings: [binding, { ...binding, host: '10.0.0.1' }] }));
  const any = { resourceType: 1, patternType: 1, operation: 1, permissionType: 1 };
  const { results } = await deleteAclsIn(
    owner,
    create(DeleteAclsRequestSchema, { filters: [{ ...any, host: '10.0.0.1' }] }),
  );
  expect(results).toEqual([{ errorCode: 0, errorMessage: '', deleted: [{ ...binding, host: '10.0.0.1' }] }]);
  expect((await state())?.acls).toMatchObject([binding]);
});

test('refuses negative numbers and stores the rest', async () => {
  const upserts = [credential, { ...credential, user: 'bob', expiresAtMs: -1n }];
  const deletions = [{ user: 'carol', mechanism: -1 as ScramMechanism }];
  const { results } = await alterUserScramCredentialsIn(
    owner,
    create(AlterUserScramCredentialsRequestSchema, { upserts, deletions }),
  );
  expect(results.map(({ errorCode }) => errorCode)).toEqual([0, 93, 33]);
  expect((await state())?.credentials.map(({ user }) => user)).toEqual(['alice']);
});

test('refuses outdated settings as failed_precondition', async () => {
  await update({ aclMode: AclMode.SHADOW });
  await update({ aclMode: AclMode.ENFORCED }, 1n);
  const refused = await refusalOf(update({ aclMode: AclMode.DISABLED }, 1n));
  expect(refused).toMatchObject({ code: Code.FailedPrecondition, message: expect.stringContaining('version 2') });
  expect((await state())?.settings?.aclMode).toBe(AclMode.ENFORCED);
});

test('refuses impossible settings as invalid_argument', async () => {
  expect((await refusalOf(update({ superUsers: ['admin'] }))).code).toBe(Code.InvalidArgument);
  expect((await refusalOf(update({ aclMode: 9 as AclMode }))).code).toBe(Code.InvalidArgument);
});

// From the snapshot and from the journal behind it.
test('a new owner restores users and ACLs', async () => {
  const upserts = [credential];
  await alterUserScramCredentialsIn(owner, create(AlterUserScramCredentialsRequestSchema, { upserts }));
  await owner.takeSnapshot();
  await createAclsIn(owner, create(CreateAclsRequestSchema, { bindings: [binding] }));
  const before = await state();
  owner = await fixture.open();
  expect(await state()).toEqual(before);
  expect(before).toMatchObject({ version: 2n, credentials: [{ user: 'alice' }], acls: [binding] });
});
