// Kafka's own tools manage ACLs, SCRAM credentials and quotas, and agents enforce the ACLs. Clients that don't sign in are User:ANONYMOUS.
import { foldJournal } from '@penstock/billing';
import { withAccess } from '@penstock/platform';
import { listAudit } from '@penstock/tenancy';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { createTopic, kafkaTool } from './support/java-tools.ts';
import { run } from './support/run.ts';
import { updateSecuritySettings } from './support/security-settings.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

const ANONYMOUS = 'User:ANONYMOUS';
/** A change of ACLs reaches every agent within this time. */
const WITHIN = { timeout: 3_000, interval: 100 };
/** Kafka's tools take seconds to start. */
const WITHIN_RUNS = { timeout: 60_000, interval: 100 };

let system: TestSystem;
let bootstrap = '';
let server: string[] = [];

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
  bootstrap = system.agents[0]?.bootstrap ?? '';
  server = ['--bootstrap-server', bootstrap];
});
afterAll(() => system.stop());

/** Sets the ACL mode of a cluster without rules. */
async function secure(aclMode: 'ACL_MODE_DISABLED' | 'ACL_MODE_SHADOW' | 'ACL_MODE_ENFORCED', superUsers: string[]) {
  await updateSecuritySettings(system, {
    aclMode,
    superUsers,
    authentication: 'AUTHENTICATION_REQUIREMENT_NEVER',
  });
}

async function acls(...args: string[]): Promise<string> {
  return kafkaTool('kafka-acls', [...server, ...args]);
}

async function topics(): Promise<string[]> {
  const listed = await kafkaTool('kafka-topics', [...server, '--list', '--exclude-internal']);
  return listed.split('\n').filter((line) => line.startsWith('acl-'));
}

test('kafka-acls manages rules that agents enforce', async () => {
  await expect(acls('--list')).rejects.toThrow(/ACLs are turned off/);
  await createTopic(bootstrap, 'acl-orders', 1);
  await createTopic(bootstrap, 'acl-bills', 1);
  await secure('ACL_MODE_ENFORCED', [ANONYMOUS]);
  await expect.poll(() => acls('--list').catch(String), WITHIN_RUNS).not.toMatch(/turned off/);

  const rule = ['--allow-principal', ANONYMOUS, '--operation', 'Read', '--topic', 'acl-ord'];
  await acls('--add', ...rule, '--resource-pattern-type', 'prefixed');
  await acls('--add', '--deny-principal', 'User:mallory', '--operation', 'All', '--group', '*');
  const listed = await acls('--list');
  expect(listed).toMatch(/resourceType=TOPIC, name=acl-ord, patternType=PREFIXED/);
  expect(listed).toMatch(/principal=User:ANONYMOUS, host=\*, operation=READ, permissionType=ALLOW/);
  expect(listed).toMatch(/principal=User:mallory, host=\*, operation=ALL, permissionType=DENY/);
  expect(await acls('--list', '--topic', 'acl-bills')).not.toMatch(/acl-ord/);
  expect(await topics()).toEqual(['acl-bills', 'acl-orders']);

  await secure('ACL_MODE_ENFORCED', []);
  await expect.poll(topics, WITHIN_RUNS).toEqual(['acl-orders']);
  await expect(acls('--list')).rejects.toThrow(/not authorized/);
  await expect(createTopic(bootstrap, 'acl-new', 1)).rejects.toThrow(/not authorized/);

  await secure('ACL_MODE_ENFORCED', [ANONYMOUS]);
  await expect.poll(topics, WITHIN_RUNS).toHaveLength(2);
  await acls('--remove', '--force', ...rule, '--resource-pattern-type', 'prefixed');
  expect(await acls('--list')).not.toMatch(/acl-ord/);
  await secure('ACL_MODE_ENFORCED', []);
  await expect.poll(topics, WITHIN_RUNS).toEqual([]);
});

test('agents count denials, and shadow mode only counts them', async () => {
  const denials = async (enforced: boolean): Promise<number> => {
    const metrics = await (await fetch(`${system.agents[0]?.httpUrl}/metrics`)).text();
    const lines = metrics.split('\n').filter((line) => line.startsWith('penstock_agent_authorization_denials_total{'));
    const counted = lines.filter((line) => line.includes(`enforced="${enforced}"`));
    return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };
  expect(await denials(true)).toBeGreaterThan(0);
  await secure('ACL_MODE_SHADOW', []);
  const create = () => createTopic(bootstrap, 'acl-shadow', 1).then(() => 'created', String);
  await expect.poll(create, WITHIN_RUNS).toBe('created');
  await expect.poll(() => denials(false), WITHIN).toBeGreaterThan(0);
});

test('a client has its user’s rights until they are revoked', async () => {
  await secure('ACL_MODE_ENFORCED', [ANONYMOUS]);
  const alice = [...server, '--entity-type', 'users', '--entity-name', 'alice', '--alter'];
  const credential = ['--add-config', 'SCRAM-SHA-256=[iterations=4096,password=of-alice]'];
  await expect
    .poll(() => kafkaTool('kafka-configs', [...alice, ...credential]).then(() => 'done', String), WITHIN_RUNS)
    .toBe('done');
  const sasl = ['security.protocol=SASL_PLAINTEXT', 'sasl.mechanism=SCRAM-SHA-256'];
  const settings = [...sasl, 'sasl.username=alice', 'sasl.password=of-alice'].flatMap((setting) => ['-X', setting]);
  const seen = async (): Promise<string[]> => {
    const metadata = await run('kcat', ['-L', '-J', '-b', bootstrap, ...settings]);
    const { topics: listed } = JSON.parse(metadata) as { topics: { topic: string }[] };
    return listed.map(({ topic }) => topic);
  };
  const rule = ['--allow-principal', 'User:alice', '--operation', 'Read', '--topic', 'acl-orders'];
  await acls('--add', ...rule);
  await expect.poll(seen, WITHIN).toEqual(['acl-orders']);
  await acls('--remove', '--force', ...rule);
  await expect.poll(seen, WITHIN).toEqual([]);
  await kafkaTool('kafka-configs', [...alice, '--delete-config', 'SCRAM-SHA-256']);
});

test('kafka-configs manages SCRAM credentials and quotas', async () => {
  await secure('ACL_MODE_ENFORCED', [ANONYMOUS]);
  const alice = [...server, '--entity-type', 'users', '--entity-name', 'alice'];
  const describe = () => kafkaTool('kafka-configs', [...alice, '--describe']).catch(String);
  await expect.poll(describe, WITHIN_RUNS).not.toMatch(/not authorized|sign in/);
  const credential = 'SCRAM-SHA-256=[iterations=4096,password=of-alice]';
  await kafkaTool('kafka-configs', [...alice, '--alter', '--add-config', credential]);
  await kafkaTool('kafka-configs', [...alice, '--alter', '--add-config', 'producer_byte_rate=1048576']);
  const described = await describe();
  expect(described).toMatch(/SCRAM-SHA-256=iterations=4096/);
  expect(described).toMatch(/producer_byte_rate=1048576/);

  await kafkaTool('kafka-configs', [...alice, '--alter', '--delete-config', 'SCRAM-SHA-256']);
  await kafkaTool('kafka-configs', [...alice, '--alter', '--delete-config', 'producer_byte_rate']);
  expect(await describe()).not.toMatch(/iterations|producer_byte_rate/);
  const nothing = ['--alter', '--delete-config', 'SCRAM-SHA-512'];
  await expect(kafkaTool('kafka-configs', [...alice, ...nothing])).rejects.toThrow(
    /does not exist|not exist|no .*credential/i,
  );
});

test('the audit log names the client behind these changes', async () => {
  const heartbeat = 'consumer.heartbeat.interval.ms';
  const readers = [...server, '--alter', '--entity-type', 'groups', '--entity-name', 'acl-readers'];
  await kafkaTool('kafka-configs', [...readers, '--add-config', `${heartbeat}=6000`]);
  const java = [...server, '--alter', '--entity-type', 'client-metrics', '--entity-name', 'java'];
  await kafkaTool('kafka-configs', [...java, '--add-config', 'metrics=[org.apache.kafka.consumer.],interval.ms=60000']);
  const clusterId = system.demo?.clusterId ?? '';
  const { databaseUrl } = system;
  const metering = new pg.Pool({ connectionString: databaseUrl, max: 2, ...withAccess('metering') });
  const cells = {
    pool: () => {
      throw new Error('there are no other cells');
    },
  };
  try {
    while (!(await foldJournal(metering, cells, clusterId)).isCaughtUp) {}
  } finally {
    await metering.end();
  }
  const { rows } = await inDemoOrganization(system, (scope) => listAudit(scope, { source: 'kafka', limit: 200 }));
  expect(new Set(rows.map(({ actorLabel }) => actorLabel))).toEqual(new Set([ANONYMOUS]));
  const origin = {
    clientAddress: '127.0.0.1',
    agentId: expect.stringMatching(/./),
    agentKeyId: expect.stringMatching(/./),
  };
  const changed = (action: string) => rows.filter((row) => row.action === action);
  expect(changed('topic.create').map(({ targetId }) => targetId)).toContain(`${clusterId}/acl-orders`);
  expect(changed('acl.create').map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ acls: ['ALLOW User:ANONYMOUS from * to READ TOPIC PREFIXED:acl-ord'], ...origin }),
  );
  expect(changed('acl.delete').length).toBeGreaterThanOrEqual(2);
  expect(changed('cluster-user.put-credential').at(-1)).toMatchObject({
    targetId: `${clusterId}/alice`,
    after: { user: 'alice', mechanism: 'SCRAM-SHA-256', kafkaClientId: expect.stringMatching(/./), ...origin },
  });
  expect(changed('quota.set').map(({ after }) => after)).toContainEqual(
    expect.objectContaining({ user: 'alice', clientId: null, producer_byte_rate: 1_048_576, ...origin }),
  );
  expect(changed('group.alter-configs')).toEqual([
    expect.objectContaining({
      targetId: `${clusterId}/acl-readers`,
      after: expect.objectContaining({ groupId: 'acl-readers', [heartbeat]: '6000', ...origin }),
    }),
  ]);
  expect(changed('client-metrics.alter-configs')).toEqual([
    expect.objectContaining({
      targetId: `${clusterId}/java`,
      after: expect.objectContaining({
        name: 'java',
        metrics: 'org.apache.kafka.consumer.',
        'interval.ms': '60000',
        ...origin,
      }),
    }),
  ]);
  expect(JSON.stringify(rows)).not.toContain('of-alice');
  // Nobody changed it through an agent: the control plane's own row is its use-case's.
  expect(changed('security.update-settings')).toEqual([]);
});
