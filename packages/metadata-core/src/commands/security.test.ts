import { describe, expect, it } from 'vitest';
import { encodeEntry } from '../codec/entry.ts';
import { decodeSnapshot, encodeSnapshot } from '../codec/snapshot.ts';
import { captureSnapshot } from '../codec/snapshot-capture.ts';
import { SnapshotReader } from '../codec/snapshot-reader.ts';
import { ErrorCode } from '../model/error-code.ts';
import { MAX_ACLS, MAX_CLIENT_QUOTAS, MAX_SCRAM_CREDENTIALS } from '../model/limits.ts';
import { describeSecurity } from '../queries/security.ts';
import { replayEntry } from '../replay.ts';
import { AclPermission, PatternType, ResourceType } from '../security/acl-numbers.ts';
import { ScramMechanism } from '../security/scram-rules.ts';
import { createState } from '../state/cluster-state.ts';
import { memoryBytes } from '../state/memory.ts';
import { START_MS, TestCluster } from '../testing/cluster.ts';
import { SAMPLE_COMMANDS } from '../testing/sample-commands.ts';
import { acl, filter, type Verifier, verifier } from '../testing/security.ts';

const { SHA_256, SHA_512 } = ScramMechanism;

const KINDS = [
  'alter-user-scram-credentials',
  'create-acls',
  'delete-acls',
  'alter-client-quotas',
  'update-security-settings',
] as const;

function alterUsers(
  cluster: TestCluster,
  upserts: Verifier[],
  deletions: { user: string; mechanism: number }[] = [],
): Record<string, number> {
  const { results } = cluster.do({ kind: 'alter-user-scram-credentials', upserts, deletions });
  return Object.fromEntries(results.map(({ user, errorCode }) => [user, errorCode]));
}

function users(cluster: TestCluster): string[] {
  return describeSecurity(cluster.state).credentials.map(({ user, mechanism }) => `${user} ${mechanism}`);
}

function createAcls(cluster: TestCluster, bindings: ReturnType<typeof acl>[]): number[] {
  return cluster.do({ kind: 'create-acls', bindings }).results.map(({ errorCode }) => errorCode);
}

describe('a new cluster', () => {
  it('checks no ACLs and authenticates once credentials exist', () => {
    expect(describeSecurity(createState('new'))).toEqual({
      version: 0,
      settings: {
        superUsers: [],
        allowEveryoneIfNoAclFound: false,
        aclMode: 'disabled',
        authentication: 'when-credentials-exist',
      },
      credentials: [],
      acls: [],
      quotas: [],
    });
  });
});

describe('credentials', () => {
  it('are added for both mechanisms and listed by user', () => {
    const cluster = new TestCluster();
    const both = [verifier({ user: 'bob', mechanism: SHA_512 }), verifier({ user: 'bob' }), verifier()];
    expect(alterUsers(cluster, both)).toEqual({ bob: 0, alice: 0 });
    expect(users(cluster)).toEqual(['alice 1', 'bob 1', 'bob 2']);
    expect(describeSecurity(cluster.state).credentials[0]).toEqual({ ...verifier(), createdAtMs: START_MS });
  });

  it('are replaced with a new change time, unless unchanged', () => {
    const cluster = new TestCluster();
    alterUsers(cluster, [verifier()]);
    cluster.nowMs += 5;
    const same = cluster.outcome({ kind: 'alter-user-scram-credentials', upserts: [verifier()], deletions: [] });
    expect(same.changed).toBe(false);
    alterUsers(cluster, [verifier({ salt: Uint8Array.of(9) })]);
    expect(describeSecurity(cluster.state).credentials).toMatchObject([{ createdAtMs: START_MS + 5 }]);
  });

  it('deleted to the last leave authentication required', () => {
    const cluster = new TestCluster();
    alterUsers(cluster, [verifier(), verifier({ user: 'bob' })]);
    alterUsers(cluster, [], [{ user: 'alice', mechanism: SHA_256 }]);
    expect(describeSecurity(cluster.state).settings.authentication).toBe('when-credentials-exist');
    alterUsers(cluster, [], [{ user: 'bob', mechanism: SHA_256 }]);
    expect(describeSecurity(cluster.state).settings.authentication).toBe('always');
  });

  it('that do not exist cannot be deleted', () => {
    const cluster = new TestCluster();
    alterUsers(cluster, [verifier()]);
    const deletions = [
      { user: 'alice', mechanism: SHA_512 },
      { user: 'bob', mechanism: SHA_256 },
    ];
    expect(alterUsers(cluster, [], deletions)).toEqual({
      alice: ErrorCode.RESOURCE_NOT_FOUND,
      bob: ErrorCode.RESOURCE_NOT_FOUND,
    });
    expect(alterUsers(cluster, [], [{ user: 'alice', mechanism: SHA_256 }])).toEqual({ alice: 0 });
    expect(users(cluster)).toEqual([]);
  });

  it('change together for each user', () => {
    const cluster = new TestCluster();
    const upserts = [verifier(), verifier({ user: 'bob' })];
    expect(alterUsers(cluster, upserts, [{ user: 'alice', mechanism: SHA_512 }])).toEqual({
      alice: ErrorCode.RESOURCE_NOT_FOUND,
      bob: 0,
    });
    expect(users(cluster)).toEqual(['bob 1']);
  });

  it('cannot be altered twice in a request', () => {
    const cluster = new TestCluster();
    const twice = ErrorCode.DUPLICATE_RESOURCE;
    expect(alterUsers(cluster, [verifier(), verifier()])).toEqual({ alice: twice });
    alterUsers(cluster, [verifier()]);
    expect(alterUsers(cluster, [verifier()], [{ user: 'alice', mechanism: SHA_256 }])).toEqual({ alice: twice });
  });

  it.each([
    { what: 'an empty name', fields: { user: '' }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'a name that is too long', fields: { user: 'x'.repeat(256) }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'an unknown mechanism', fields: { mechanism: 3 }, code: ErrorCode.UNSUPPORTED_SASL_MECHANISM },
    { what: 'too few iterations', fields: { iterations: 4_095 }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'too many iterations', fields: { iterations: 1_000_001 }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'no salt', fields: { salt: new Uint8Array(0) }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'a short key', fields: { storedKey: new Uint8Array(20) }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'an expiry in the past', fields: { expiresAtMs: START_MS }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
    { what: 'an expiry before 1970', fields: { expiresAtMs: -1 }, code: ErrorCode.UNACCEPTABLE_CREDENTIAL },
  ])('with $what are refused', ({ fields, code }) => {
    const bad = verifier(fields);
    expect(alterUsers(new TestCluster(), [bad])).toEqual({ [bad.user]: code });
  });

  it('have a limit that still lets existing ones be replaced', () => {
    const cluster = new TestCluster();
    const many = Array.from({ length: MAX_SCRAM_CREDENTIALS }, (_, at) => verifier({ user: `user-${at}` }));
    alterUsers(cluster, many);
    expect(alterUsers(cluster, [verifier()])).toEqual({ alice: ErrorCode.POLICY_VIOLATION });
    expect(alterUsers(cluster, [verifier({ user: 'user-7', iterations: 8_192 })])).toEqual({ 'user-7': 0 });
  });
});

describe('ACLs', () => {
  it('are created one by one, and existing ones count as success', () => {
    const cluster = new TestCluster();
    expect(createAcls(cluster, [acl(), acl({ principal: 'alice' }), acl()])).toEqual([0, ErrorCode.INVALID_REQUEST, 0]);
    expect(describeSecurity(cluster.state)).toMatchObject({ version: 1, acls: [acl()] });
    expect(cluster.outcome({ kind: 'create-acls', bindings: [acl()] }).changed).toBe(false);
  });

  it('that differ in one field are different', () => {
    const cluster = new TestCluster();
    const different = [
      acl(),
      acl({ resourceType: ResourceType.GROUP }),
      acl({ resourceName: 'orders-eu' }),
      acl({ patternType: PatternType.PREFIXED }),
      acl({ principal: 'User:bob' }),
      acl({ host: '10.0.0.1' }),
      acl({ operation: 4 }),
      acl({ permissionType: AclPermission.DENY }),
    ];
    createAcls(cluster, different);
    expect(describeSecurity(cluster.state).acls).toEqual(different);
  });

  it('are deleted by filters that each see the original list', () => {
    const cluster = new TestCluster();
    createAcls(cluster, [acl(), acl({ operation: 4 }), acl({ principal: 'User:bob' })]);
    const filters = [filter({ principal: 'User:alice' }), filter(acl()), filter({ resourceName: 'nope' })];
    const { results } = cluster.do({ kind: 'delete-acls', filters });
    expect(results.map(({ deleted }) => deleted)).toEqual([[acl(), acl({ operation: 4 })], [acl()], []]);
    expect(describeSecurity(cluster.state).acls).toEqual([acl({ principal: 'User:bob' })]);
  });

  it('have a limit on their number', () => {
    const cluster = new TestCluster();
    createAcls(
      cluster,
      Array.from({ length: MAX_ACLS }, (_, at) => acl({ resourceName: `t${at}` })),
    );
    expect(createAcls(cluster, [acl(), acl({ resourceName: 't0' })])).toEqual([ErrorCode.POLICY_VIOLATION, 0]);
    cluster.do({ kind: 'delete-acls', filters: [filter(acl({ resourceName: 't0' }))] });
    expect(createAcls(cluster, [acl()])).toEqual([0]);
  });

  it('have a size limit so that each agent can hold them all', () => {
    const cluster = new TestCluster();
    const long = (at: number) =>
      acl({ resourceName: `${at}`.padEnd(1_024, 'x'), principal: 'User:'.padEnd(1_024, 'y') });
    const codes = createAcls(
      cluster,
      Array.from({ length: 1_000 }, (_, at) => long(at)),
    );
    expect(codes.filter((code) => code === 0)).toHaveLength(976);
    expect(codes.at(-1)).toBe(ErrorCode.POLICY_VIOLATION);
  });

  it('can be searched by only a few wide filters per request', () => {
    const cluster = new TestCluster();
    createAcls(cluster, [acl()]);
    const exact = Array.from({ length: 500 }, () => filter(acl({ principal: 'User:bob' })));
    const wide = Array.from({ length: 101 }, () => filter({ resourceName: 'nope' }));
    const { results } = cluster.do({ kind: 'delete-acls', filters: [...exact, ...wide] });
    const refused = results.flatMap(({ errorCode }, at) => (errorCode === 0 ? [] : [at]));
    expect(refused).toEqual([600]);
  });
});

describe('quotas', () => {
  const set = (cluster: TestCluster, user: string | null, clientId: string | null, key: string, value: number | null) =>
    cluster.do({
      kind: 'alter-client-quotas',
      alterations: [{ user, clientId, ops: [{ key, value }] }],
      validateOnly: false,
    }).results[0]?.errorCode;
  const values = (cluster: TestCluster) =>
    describeSecurity(cluster.state).quotas.map(({ user, clientId, values: own }) => [user, clientId, ...own]);

  it('are independent for users, defaults, client ids and pairs', () => {
    const cluster = new TestCluster();
    const entities = [
      ['alice', null],
      ['', null],
      [null, 'app'],
      [null, ''],
      ['alice', 'app'],
      ['alice', ''],
    ] as const;
    for (const [at, [user, clientId]] of entities.entries()) {
      expect(set(cluster, user, clientId, 'producer_byte_rate', at + 1)).toBe(0);
    }
    expect(values(cluster)).toEqual(
      entities.map(([user, clientId], at) => [user, clientId, ['producer_byte_rate', at + 1]]),
    );
  });

  it('change one by one; an entity without quotas disappears', () => {
    const cluster = new TestCluster();
    set(cluster, 'alice', null, 'producer_byte_rate', 100);
    set(cluster, 'alice', null, 'request_percentage', 12.5);
    set(cluster, 'alice', null, 'producer_byte_rate', null);
    expect(values(cluster)).toEqual([['alice', null, ['request_percentage', 12.5]]]);
    set(cluster, 'alice', null, 'request_percentage', null);
    expect(values(cluster)).toEqual([]);
    expect(set(cluster, 'alice', null, 'request_percentage', null)).toBe(0);
    expect(describeSecurity(cluster.state).version).toBe(4);
  });

  it.each([
    { what: 'of nobody', user: null, key: 'producer_byte_rate', value: 1 },
    { what: 'of an unknown key', user: 'alice', key: 'controller_mutation_rate', value: 1 },
    { what: 'of zero', user: 'alice', key: 'producer_byte_rate', value: 0 },
    { what: 'of an infinite rate', user: 'alice', key: 'request_percentage', value: Number.POSITIVE_INFINITY },
    { what: 'of no number', user: 'alice', key: 'request_percentage', value: Number.NaN },
    { what: 'of half a byte', user: 'alice', key: 'consumer_byte_rate', value: 1.5 },
  ])('$what are refused', ({ user, key, value }) => {
    expect(set(new TestCluster(), user, null, key, value)).toBe(ErrorCode.INVALID_REQUEST);
  });

  it('are only validated when the request says so', () => {
    const cluster = new TestCluster();
    const command = { ...SAMPLE_COMMANDS['alter-client-quotas'], validateOnly: true };
    const outcome = cluster.outcome(command);
    expect(outcome.answer.results.map(({ errorCode }) => errorCode)).toEqual([0, 0]);
    expect(outcome.changed).toBe(false);
  });

  it('cannot be altered twice for an entity in a request', () => {
    const alteration = { user: 'alice', clientId: null, ops: [{ key: 'request_percentage', value: 1 }] };
    const twice = { ...alteration, ops: [...alteration.ops, ...alteration.ops] };
    const { results } = new TestCluster().do({
      kind: 'alter-client-quotas',
      alterations: [alteration, alteration, { ...twice, user: 'bob' }],
      validateOnly: false,
    });
    expect(results.map(({ errorCode }) => errorCode)).toEqual([
      0,
      ErrorCode.INVALID_REQUEST,
      ErrorCode.INVALID_REQUEST,
    ]);
  });

  it('have a limit, below which existing ones can still be changed', () => {
    const cluster = new TestCluster();
    for (let at = 0; at < MAX_CLIENT_QUOTAS; at += 1) {
      set(cluster, `user-${at}`, null, 'request_percentage', 1);
    }
    expect(set(cluster, 'alice', null, 'request_percentage', 1)).toBe(ErrorCode.POLICY_VIOLATION);
    expect(set(cluster, 'user-0', null, 'request_percentage', 2)).toBe(0);
  });
});

describe('settings of access control', () => {
  const settings = SAMPLE_COMMANDS['update-security-settings'].settings;

  it('are replaced whole, and super users named twice are one', () => {
    const cluster = new TestCluster();
    const superUsers = ['User:admin', 'User:admin', 'User:ops'];
    const command = {
      kind: 'update-security-settings',
      settings: { ...settings, superUsers },
      expectedVersion: 0,
    } as const;
    expect(cluster.do(command).refused).toBeNull();
    expect(describeSecurity(cluster.state)).toMatchObject({
      version: 1,
      settings: { ...settings, superUsers: ['User:admin', 'User:ops'] },
    });
    expect(cluster.outcome(command).changed).toBe(false);
  });

  it('are not replaced by a change based on another version', () => {
    const cluster = new TestCluster();
    createAcls(cluster, [acl()]);
    createAcls(cluster, [acl({ operation: 4 })]);
    const command = { kind: 'update-security-settings', settings, expectedVersion: 1 } as const;
    expect(cluster.do(command).refused).toBe('version-changed');
    expect(cluster.do({ ...command, expectedVersion: 2 }).refused).toBeNull();
  });

  it('with a super user that is not a principal are refused', () => {
    const cluster = new TestCluster();
    const update = (superUsers: string[]) =>
      cluster.do({ kind: 'update-security-settings', settings: { ...settings, superUsers }, expectedVersion: 0 })
        .refused;
    expect(update(['admin'])).toBe('invalid');
    expect(update(Array.from({ length: 101 }, (_, at) => `User:${at}`))).toBe('invalid');
  });
});

describe('recovery', () => {
  function sampled(): { cluster: TestCluster; journal: Uint8Array[] } {
    const cluster = new TestCluster();
    const journal: Uint8Array[] = [];
    for (const kind of KINDS) {
      cluster.any(SAMPLE_COMMANDS[kind]);
      journal.push(encodeEntry({ nowMs: START_MS, commands: [SAMPLE_COMMANDS[kind]] }));
    }
    return { cluster, journal };
  }

  it('restores users, ACLs, quotas and settings from the journal', () => {
    const { cluster, journal } = sampled();
    const state = createState('test');
    for (const entry of journal) {
      replayEntry(state, entry);
    }
    expect(state.security).toEqual(cluster.state.security);
    expect(describeSecurity(state).version).toBe(5);
  });

  it('restores users, ACLs, quotas and settings from a snapshot', () => {
    const { cluster } = sampled();
    const { security } = decodeSnapshot(encodeSnapshot(cluster.state));
    expect(describeSecurity({ ...cluster.state, security })).toEqual(describeSecurity(cluster.state));
    expect(security.aclChars).toBe(cluster.state.security.aclChars);
  });

  it('restores an open cluster from a snapshot without users', () => {
    const cluster = new TestCluster();
    const restored = decodeSnapshot(encodeSnapshot(cluster.state));
    expect(restored.security).toEqual(createState('new').security);
  });

  it('restores the ACLs as they were at the capture', () => {
    const cluster = new TestCluster();
    createAcls(
      cluster,
      Array.from({ length: MAX_ACLS }, (_, at) => acl({ resourceName: `topic-${at}` })),
    );
    const capture = captureSnapshot(cluster.state);
    const reader = new SnapshotReader();
    let parts = 0;
    for (let part = capture.nextPart(); part !== undefined; part = capture.nextPart()) {
      reader.push(part);
      cluster.do({ kind: 'delete-acls', filters: [filter({ resourceName: `topic-${parts}` })] });
      parts += 1;
    }
    expect(parts).toBeGreaterThan(2);
    expect(reader.finish().security.acls.size).toBe(MAX_ACLS);
  });
});

it('accounts for users, ACLs and quotas and frees their memory', () => {
  const cluster = new TestCluster();
  const before = memoryBytes(cluster.state);
  createAcls(
    cluster,
    Array.from({ length: 1_000 }, (_, at) => acl({ resourceName: `topic-${at}` })),
  );
  alterUsers(cluster, [verifier()]);
  expect(memoryBytes(cluster.state).security).toBeGreaterThan(300_000);
  cluster.do({ kind: 'delete-acls', filters: [filter()] });
  alterUsers(cluster, [], [{ user: 'alice', mechanism: SHA_256 }]);
  expect(memoryBytes(cluster.state)).toEqual(before);
});
