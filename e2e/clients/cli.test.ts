// The `penstock` command line against a running system: every command, as a table and as JSON.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPenstockClient, type PenstockClient } from '@penstock/api-client';
import { createAgentKey, revokeAgentKey } from '@penstock/clusters';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentBinary } from '../../infra/local/paths.ts';
import { agentSbom } from '../../infra/local/sbom.ts';
import { inDemoOrganization } from './support/accounts.ts';
import { createDemoApiKey } from './support/api-keys.ts';
import { run, start } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';

interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

let system: TestSystem;
let configHome: string;
let apiKey: string;
let client: PenstockClient;
const printed: Outcome[] = [];

/** Exit codes, as `penstock --help` documents them. */
const DONE = 0;
const REFUSED = 1;
const UNUSABLE = 2;
const SIGNED_OUT = 3;
const UNANSWERED = 4;

beforeAll(async () => {
  [system, configHome] = await Promise.all([
    startTestSystem({ hasWeb: true, controlPlaneEnv: { PENSTOCK_API_REQUESTS_PER_MINUTE: '1000000' } }),
    mkdtemp(join(tmpdir(), 'penstock-cli-')),
  ]);
  apiKey = await createDemoApiKey(system, { name: 'by hand', lifetimeDays: 30 });
  client = createPenstockClient({ url: system.webUrl ?? '', apiKey });
});
afterAll(async () => {
  await system.stop();
  await rm(configHome, { recursive: true, force: true });
});

const configFile = () => join(configHome, 'penstock', 'config.toml');

async function penstock(
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> {
  const program = start(agentBinary, args, { input, env: { XDG_CONFIG_HOME: configHome, ...env } });
  const code = await program.exited;
  const outcome = { code, stdout: program.stdout(), stderr: program.stderr() };
  printed.push(outcome);
  return outcome;
}

/** The output of a successful command. */
async function table(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await penstock(args);
  expect(code, stderr).toBe(DONE);
  return stdout;
}

async function json(...args: string[]): Promise<unknown> {
  return JSON.parse(await table(...args, '--json'));
}

/** Headings and cells of a table. */
const cells = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('signing in', () => {
  test('with a rejected key stores nothing', async () => {
    const unknown = `${apiKey.slice(0, -8)}${apiKey.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`;
    const { code, stderr } = await penstock(['login', '--url', system.webUrl ?? ''], { input: `${unknown}\n` });
    expect(code).toBe(SIGNED_OUT);
    expect(stderr).toContain('What to do:');
    expect(stderr).toMatch(/Request id: [0-9a-f-]{36}/);
    await expect(stat(configFile())).rejects.toThrow('ENOENT');
    expect((await penstock(['cluster', 'list'])).code).toBe(SIGNED_OUT);
  });

  test('needs TLS or a local server', async () => {
    const { code, stderr } = await penstock(['login', '--url', 'http://app.example.com'], { input: `${apiKey}\n` });
    expect(code).toBe(UNUSABLE);
    expect(stderr).toContain('https://');
  });

  test('stores a valid key for its owner only and says whose it is', async () => {
    const { code, stdout, stderr } = await penstock(['login', '--url', system.webUrl ?? ''], { input: `${apiKey}\n` });
    expect(code, stderr).toBe(DONE);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/Signed in to Demo with the key “by hand” \(owner\)/);
    expect((await stat(configFile())).mode & 0o777).toBe(0o600);
    const facts = Object.fromEntries(cells(await table('whoami')));
    expect(facts).toMatchObject({
      Organization: 'Demo',
      Role: 'owner',
      'Read-only': 'no',
      'Key from': 'profile default',
    });
    expect(facts.Expires).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    expect(await json('whoami')).toMatchObject({
      organization: { name: 'Demo', id: system.demo?.organizationId },
      apiKey: { name: 'by hand', role: 'owner', revokedAt: null },
    });
  });

  // Any role may run whoami.
  test('the environment overrides the stored key', async () => {
    const viewer = await createDemoApiKey(system, { name: 'a look', role: 'viewer', isReadOnly: true });
    const env = { PENSTOCK_API_KEY: viewer, PENSTOCK_URL: system.webUrl ?? '' };
    const { stdout } = await penstock(['whoami'], { env });
    expect(Object.fromEntries(cells(stdout))).toMatchObject({
      Role: 'viewer',
      'Read-only': 'yes',
      'Key from': 'PENSTOCK_API_KEY',
    });
    const change = await penstock(['cluster', 'update', 'demo', '--default-partitions', '2'], { env });
    expect(change.code).toBe(REFUSED);
    expect(change.stderr).toContain('This API key is read-only.');
  });

  test('on a terminal does not echo the key', async () => {
    const command = `${agentBinary} login --profile typed --url ${system.webUrl}`;
    const program = start('script', ['-qec', command, '/dev/null'], {
      env: { XDG_CONFIG_HOME: configHome },
      keepsInput: true,
    });
    program.child.stdout.once('data', () => program.child.stdin.end(`${apiKey}\n`));
    expect(await program.exited, program.stdout()).toBe(DONE);
    expect(program.stdout()).toContain('Signed in to Demo');
    expect(program.stdout()).not.toContain(apiKey);
  });
});

// Created, shown, changed, deleted after confirmation, and restored.
test('clusters go through their whole life', async () => {
  const where = ['--cloud', 'aws', '--region', 'eu-central-1'];
  const made = (await json('cluster', 'create', 'made', ...where, '--default-partitions', '3')) as { id: string };
  expect(await table('cluster', 'create', 'another', ...where)).toMatch(/^Name +another\n/);
  const { data: listed } = await client.GET('/clusters');
  expect(await json('cluster', 'list')).toEqual(listed);
  expect(cells(await table('cluster', 'list')).map(([name]) => name)).toEqual(['NAME', 'demo', 'made', 'another']);
  expect(await table('cluster', 'show', made.id)).toBe(await table('cluster', 'show', 'made'));
  expect(await json('cluster', 'show', 'made')).toMatchObject({ name: 'made', defaultPartitions: 3 });

  expect(await json('cluster', 'update', 'made', '--mode', 'dev')).toMatchObject({ id: made.id, mode: 'dev' });
  const modes = cells(await table('cluster', 'modes', 'made'));
  expect(modes.map(([mode]) => mode)).toEqual(['MODE', 'dev', 'standard', 'low-latency']);
  expect(modes[1]).toEqual(['dev', '0', '$0.00', '10', '1000', 'current']);
  const fast = await penstock(['cluster', 'update', 'made', '--mode', 'low-latency']);
  expect(fast).toEqual({
    code: DONE,
    stdout: expect.stringMatching(/Mode +low-latency\n/),
    stderr: expect.stringContaining('Warning: No running agent has reported landing buckets.'),
  });
  // For a script, the warning is in the answer.
  expect(await json('cluster', 'update', 'made', '--mode', 'low-latency')).toMatchObject({
    warning: expect.stringContaining('No running agent has reported landing buckets.'),
  });
  expect(await penstock(['cluster', 'update', 'made', '--mode', 'standard'])).toEqual({
    code: DONE,
    stdout: expect.stringMatching(/Mode +standard\n/),
    stderr: '',
  });

  const changes = ['--name', 'renamed', '--auto-create-topics', 'false', '--deletion-protection', 'true'];
  expect(await table('cluster', 'update', 'made', ...changes)).toMatch(/Deletion protection +yes\n/);
  const guarded = await penstock(['cluster', 'delete', 'renamed', '--yes']);
  expect([guarded.code, guarded.stderr]).toEqual([REFUSED, expect.stringContaining('Deletion protection is on')]);
  expect(await json('cluster', 'update', 'renamed', '--deletion-protection', 'false')).toMatchObject({
    id: made.id,
    name: 'renamed',
    autoCreateTopics: false,
    deletionProtection: false,
  });

  const unasked = await penstock(['cluster', 'delete', 'renamed']);
  expect([unasked.code, unasked.stderr]).toEqual([UNUSABLE, expect.stringContaining('--yes')]);
  expect(await table('cluster', 'delete', 'renamed', '--yes')).toMatch(/Can be restored until +\d/);
  expect(await json('cluster', 'list', '--deleted')).toMatchObject({ items: [{ id: made.id, name: 'renamed' }] });
  expect(await table('cluster', 'list', '--deleted')).toContain(made.id);
  expect(await json('cluster', 'restore', 'renamed')).toMatchObject({ id: made.id, deletedAt: null });
  expect((await penstock(['cluster', 'delete', 'another', '--yes', '--json'])).code).toBe(DONE);
  expect(await table('cluster', 'restore', 'another')).toMatch(/^Name +another\n/);
});

test('a cluster shows its status', async () => {
  expect(await table('cluster', 'health', 'demo')).toMatch(/^Health +\w+\n/);
  expect(await json('cluster', 'health', 'demo')).toHaveProperty('level');
  expect(await table('cluster', 'agents', 'demo')).toMatch(/^AGENT .*\n.* yes /);
  expect(await json('cluster', 'agents', 'demo')).toMatchObject({ items: [{ alive: true }], nextCursor: null });
  expect((await penstock(['cluster', 'events', 'demo'])).code).toBe(DONE);
  expect(await json('cluster', 'events', 'demo', '--limit', '1')).toHaveProperty('items');
  expect(await table('cluster', 'metrics', 'demo')).toMatch(/# EOF\n$/);
  // Measurements arrive within seconds; unit tests next to the command cover how they are drawn.
  const series = ['metrics', 'cpu_cores', '--cluster', 'demo', '--last', '10m', '--by', 'agent'];
  expect((await penstock(series)).code).toBe(DONE);
  expect(await json(...series)).toMatchObject({ metric: 'cpu_cores', unit: 'cores', by: 'agent' });
  const mistyped = await penstock(['metrics', 'cpu', '--cluster', 'demo']);
  expect([mistyped.code, mistyped.stderr]).toEqual([REFUSED, expect.stringContaining('cpu_cores')]);
});

test('topics and groups are created, shown, changed and deleted', async () => {
  const of = ['--cluster', 'demo'];
  expect(await json('topic', 'create', 'greetings', '--partitions', '2', ...of)).toEqual({
    name: 'greetings',
    partitions: 2,
  });
  expect(await table('topic', 'create', 'by-default', ...of)).toMatch(/^Name +by-default\n/);
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  const consume = ['-b', bootstrap, '-G', 'readers', 'greetings', '-c', '3', '-X', 'auto.offset.reset=earliest', '-q'];
  await run('kcat', ['-P', '-b', bootstrap, '-t', 'greetings'], { input: 'one\ntwo\nthree\n' });
  await run('kcat', consume);

  const topics = cells(await table('topic', 'list', ...of));
  expect(topics).toContainEqual(['greetings', expect.stringMatching(/^ *2$/), '3', expect.any(String)]);
  expect(await table('topic', 'configure', 'greetings', '--set', 'retention.ms=86400000', ...of)).toBe('');
  expect(await table('topic', 'show', 'greetings', ...of)).toMatch(/retention\.ms +86400000\n/);
  expect(await table('topic', 'configure', 'greetings', '--unset', 'retention.ms', '--json', ...of)).toBe('');
  expect(await json('topic', 'show', 'greetings', ...of)).toMatchObject({ records: 3, configs: [] });

  expect(await table('group', 'list', ...of)).toMatch(/readers +Classic +Empty +0 +0\n/);
  expect(await json('group', 'list', ...of)).toMatchObject({ items: [{ groupId: 'readers', totalLagRecords: 0 }] });
  const reset = ['group', 'reset-offsets', 'readers', '--topic', 'greetings', '--yes', ...of];
  const preview = await json(...reset, '--to', 'earliest', '--dry-run');
  expect(preview).toMatchObject({ topic: 'greetings', members: 0, changes: [{ partition: 0 }, { partition: 1 }] });
  expect(await json('group', 'show', 'readers', ...of)).toMatchObject({ totalLagRecords: 0 });
  expect(await json(...reset, '--to', 'earliest')).toMatchObject({ partitions: 2 });
  expect(await table('group', 'show', 'readers', ...of)).toMatch(/Lag \(records\) +3\n/);
  expect(cells(await table('topic', 'consumers', 'greetings', ...of))).toContainEqual(
    ['readers', 'Classic', 'Empty', '0', '2', '3'].map((cell) => expect.stringMatching(new RegExp(`^ *${cell}$`))),
  );
  expect(cells(await table(...reset, '--to', 'latest'))).toHaveLength(3);
  expect((await penstock([...reset, '--to', 'latest', '--shift-by', '1'])).code).toBe(UNUSABLE);
  expect(await json('group', 'show', 'readers', ...of)).toMatchObject({ totalLagRecords: 0, state: 'Empty' });

  expect(await json(...reset, '--shift-by=-100')).toMatchObject({ changes: [{ after: 0 }, { after: 0 }] });
  expect((await penstock(['group', 'delete', 'readers', ...of])).code).toBe(UNUSABLE);
  expect(await table('group', 'delete', 'readers', '--yes', ...of)).toBe('');
  expect(await json('group', 'list', ...of)).toMatchObject({ items: [] });

  const configs = await table('topic', 'configs', 'greetings', ...of);
  expect(configs).toMatch(/retention\.ms +604800000 +no +yes +How long records are kept/);
  expect(configs).toMatch(/segment\.bytes +1073741824 +no +no +Has no effect/);
  expect(await json('transaction', 'list', ...of)).toEqual({ items: [], nextCursor: null });
  expect((await penstock(['transaction', 'abort', 'nobody', '--yes', ...of])).stderr).toContain('transactional ID');

  expect((await penstock(['topic', 'delete', 'greetings', ...of])).code).toBe(UNUSABLE);
  expect(await table('topic', 'delete', 'greetings', '--yes', ...of)).toBe('');
  expect(await table('topic', 'delete', 'by-default', '--yes', '--json', ...of)).toBe('');
  expect(await json('topic', 'list', ...of)).toEqual({ items: [], nextCursor: null });
});

test('agent keys are shown once and listed across pages', async () => {
  const of = ['--cluster', 'demo'];
  const made = await penstock(['agent-key', 'create', 'production', ...of]);
  expect(made.stdout).toMatch(/^psk_agent_\S+\n$/);
  expect(made.stderr).toContain('shown again');
  expect(made.stderr).not.toContain(made.stdout.trim());
  const other = (await json('agent-key', 'create', 'other', ...of)) as { agentKey: { id: string } };
  const limited = ['--lifetime-days', '30', '--network', '203.0.113.0/24', '--address', '*.agents.internal'];
  const limits = { networks: ['203.0.113.0/24'], addresses: ['*.agents.internal'], expiresAt: expect.any(String) };
  expect(await json('agent-key', 'create', 'limited', ...limited, ...of)).toMatchObject({ agentKey: limits });
  const open = ['--no-expiry', '--any-network', '--address', '10.0.0.0/8', '--address', 'agent-1.internal'];
  expect(await table('agent-key', 'update', 'limited', ...open, ...of)).toMatch(
    /Expires +never\nNetworks +any\nAddresses +10\.0\.0\.0\/8, agent-1\.internal\n/,
  );
  expect(await json('agent-key', 'update', 'limited', '--rename', 'wide', ...of)).toMatchObject({
    name: 'wide',
    expiresAt: null,
    addresses: ['10.0.0.0/8', 'agent-1.internal'],
  });
  expect(await json('agent-key', 'create', 'jobs', '--scope', 'jobs', ...of)).toMatchObject({
    agentKey: { scope: 'jobs' },
  });
  expect(await table('agent-key', 'update', 'wide', '--scope', 'read-only', ...of)).toMatch(/Scope +read_only\n/);
  expect((await penstock(['agent-key', 'update', 'wide', '--scope', 'agent', ...of])).stderr).toContain('wider scope');
  expect((await penstock(['agent-key', 'update', 'wide', ...of])).code).toBe(UNUSABLE);
  const badNetwork = await penstock(['agent-key', 'update', 'wide', '--network', 'home', ...of]);
  expect(badNetwork.code).not.toBe(0);
  expect(badNetwork.stderr).toContain('CIDR');
  const clusterId = system.demo?.clusterId ?? '';
  await inDemoOrganization(system, async (scope) => {
    // A cluster has at most a hundred active keys; revoked ones stay in the list.
    for (let count = 0; count < 100; count += 1) {
      const { agentKey } = await createAgentKey(scope, { clusterId, name: `key ${count}` });
      await revokeAgentKey(scope, { agentKeyId: agentKey.id });
    }
  });
  const first = await client.GET('/clusters/{clusterId}/agent-keys', {
    params: { path: { clusterId }, query: { limit: 100 } },
  });
  const cursor = first.data?.nextCursor ?? '';
  const second = await client.GET('/clusters/{clusterId}/agent-keys', {
    params: { path: { clusterId }, query: { limit: 100, cursor } },
  });
  const items = [...(first.data?.items ?? []), ...(second.data?.items ?? [])];
  expect(items.length).toBeGreaterThan(100);
  // The agent's own key is in use meanwhile, and its last use is recorded once a minute.
  const anyUse = items.map((item) => ({ ...item, lastUsedAt: item.lastUsedAt === null ? null : expect.any(String) }));
  expect(await json('agent-key', 'list', ...of)).toEqual({ items: anyUse, nextCursor: null });
  const listed = await table('agent-key', 'list', ...of);
  expect(cells(listed)).toHaveLength(items.length + 1);
  expect(listed).not.toContain(made.stdout.trim());

  expect((await penstock(['agent-key', 'revoke', 'production', ...of])).code).toBe(UNUSABLE);
  expect(await table('agent-key', 'revoke', 'production', '--yes', ...of)).toMatch(/State +revoked /);
  expect(await json('agent-key', 'revoke', other.agentKey.id, '--yes')).toMatchObject({
    revokedAt: expect.any(String),
  });
});

// Access settings, too.
test('users and ACLs are managed and denials explained', async () => {
  const of = ['--cluster', 'demo'];
  const bootstrap = system.agents[0]?.bootstrap ?? '';
  const produce = (password: string) => {
    const sasl = ['security.protocol=SASL_PLAINTEXT', 'sasl.mechanisms=SCRAM-SHA-512', 'sasl.username=billing'];
    const options = [...sasl, `sasl.password=${password}`, 'message.timeout.ms=20000'];
    return run('kcat', ['-P', '-b', bootstrap, '-t', 'invoices', ...options.flatMap((option) => ['-X', option])], {
      input: 'one\n',
    });
  };
  await table('topic', 'create', 'invoices', '--partitions', '1', ...of);
  const made = await penstock(['user', 'create', 'billing', ...of]);
  expect(made.code, made.stderr).toBe(DONE);
  const password = made.stdout.trim();
  expect(made.stderr).not.toContain(password);
  const expiring = [
    'user',
    'create',
    'billing',
    '--mechanism',
    'scram-sha-256',
    '--expires-at',
    '2099-01-31T00:00:00Z',
  ];
  expect(await json(...expiring, ...of)).toMatchObject({
    user: 'billing',
    credentials: [{ mechanism: 'SCRAM-SHA-256' }, { mechanism: 'SCRAM-SHA-512', expiresAt: null, lastUsedAt: null }],
  });

  expect(await table('acl', 'denials', ...of)).toBe('');
  expect(await json('security', 'set', '--acl-mode', 'shadow', ...of)).toMatchObject({ aclMode: 'shadow' });
  expect(await table('security', 'get', ...of)).toMatch(/shadow/);
  // Agents learn of users and modes within seconds.
  await expect.poll(() => produce(password).then(String, String), { timeout: 20_000, interval: 500 }).toBe('');
  const denials = async () => {
    const { items } = (await json('acl', 'denials', ...of)) as { items: { operation: string; allowingAcl: object }[] };
    return items.find(({ operation }) => operation === 'WRITE');
  };
  // Agents report every ten seconds.
  await expect.poll(denials, { timeout: 30_000, interval: 500 }).toMatchObject({
    principal: 'User:billing',
    host: '127.0.0.1',
    resourceType: 'TOPIC',
    resourceName: 'invoices',
    isEnforced: false,
    denyingAcl: null,
    allowingAcl: { operation: 'WRITE', resourceName: 'invoices', patternType: 'LITERAL', permission: 'ALLOW' },
  });
  expect(await table('acl', 'denials', ...of)).toMatch(
    /User:billing +WRITE +TOPIC +invoices +127\.0\.0\.1 +\d+ .* allowed \(shadow\) +no ACL allows it\n/,
  );
  const used = async () => cells(await table('user', 'list', ...of)).find((row) => row.includes('SCRAM-SHA-512'));
  await expect.poll(used, { timeout: 30_000, interval: 500 }).toEqual(expect.arrayContaining(['127.0.0.1']));
  expect(await table('user', 'list', ...of)).toMatch(/SCRAM-SHA-256 .* 2099-01-31 00:00 UTC +never *\n/);

  const topic = ['--topic', 'invoices'];
  const allow = ['acl', 'create', '--principal', 'User:billing', ...topic, '--operation', 'write'];
  expect(await json(...allow, '--operation', 'describe', ...of)).toMatchObject({ created: [{}, {}], refused: [] });
  await table('security', 'set', '--acl-mode', 'enforced', ...of);
  expect(cells(await table('acl', 'list', ...of))).toHaveLength(3);
  // The user may write, and nothing else.
  await expect.poll(() => produce(password).then(String, String), { timeout: 20_000, interval: 500 }).toBe('');

  expect((await penstock(['acl', 'delete', ...topic, ...of])).code).toBe(UNUSABLE);
  expect(await json('acl', 'delete', ...topic, '--yes', ...of)).toMatchObject({ deleted: [{}, {}] });
  await table('security', 'set', '--acl-mode', 'disabled', ...of);
  expect((await penstock(['user', 'delete', 'billing', ...of])).code).toBe(UNUSABLE);
  await table('user', 'delete', 'billing', '--yes', ...of);
  expect(await json('user', 'list', ...of)).toEqual({ items: [], nextCursor: null });
  expect(JSON.stringify(printed.filter((outcome) => outcome !== made))).not.toContain(password);
  await table('topic', 'delete', 'invoices', '--yes', ...of);
});

test('usage and cost match the API', async () => {
  const { data: usage } = await client.GET('/usage');
  expect(await json('usage')).toMatchObject({ monthStart: usage?.monthStart, monthEnd: usage?.monthEnd });
  expect(await table('usage', '--cluster', 'demo')).toMatch(/Written, uncompressed +\d/);
  expect(await json('usage', '--cluster', 'demo')).toHaveProperty('clusterMinutes');
  expect(cells(await table('usage', '--by-cluster')).at(-1)?.[0]).toBe('TOTAL');
  expect(await json('usage', '--by-cluster')).toMatchObject({
    items: expect.arrayContaining([{ cluster: expect.objectContaining({ name: 'demo' }), usage: expect.anything() }]),
    total: { monthStart: usage?.monthStart },
  });

  const load = ['--throughput', '250', '--compression-ratio', '4', '--fan-out', '3', '--retention-days', '7'];
  const elsewhere = { XDG_CONFIG_HOME: join(configHome, 'nobody') };
  const url = ['--url', system.webUrl ?? ''];
  const cost = await penstock(['tco', ...load, ...url], { env: elsewhere });
  expect(cost.stdout).toMatch(/^SYSTEM +USD PER MONTH +RELATIVE +ID\n/);
  expect(cost.stdout).toMatch(/Penstock, S3 Standard +\$[\d,]+\.\d\d +100 % +penstock\n/);
  expect(await table('tco', '--express', 'true')).toMatch(/Penstock, S3 Express One Zone .* 100 % /);
  expect(await table('tco', ...load, '--system', 'penstock')).toMatch(/\nTOTAL +Penstock, S3 Standard +\$/);
  expect(await json('tco', ...load, '--assume', 'zones=2')).toMatchObject({
    inputs: { throughput: '250', compressionRatio: '4', fanout: '3', retentionDays: '7', zones: '2' },
  });
});

test('errors go to standard error with a remedy and an exit code', async () => {
  const cases: [string[], number, RegExp][] = [
    [['cluster', 'show', 'nowhere'], REFUSED, /There is no cluster “nowhere”[\s\S]*penstock cluster list/],
    [['cluster', 'show', '0199e0f2-7a9b-7c3d-8e4f-5a6b7c8d9e0f'], REFUSED, /Request id: /],
    [['topic', 'create', 'no spaces', '-c', 'demo'], REFUSED, /\n {2}name: Use letters/],
    [['topic', 'configure', 't', '--set', 'no.such=1', '-c', 'demo'], REFUSED, /\n {2}configs: /],
    [['tco', '--throughput', 'much'], REFUSED, /\n {2}workload\/throughput: /],
    [['cluster', 'create', 'nameless'], UNUSABLE, /--region/],
    [['topic', 'delete', '..', '--yes', '-c', 'demo'], UNUSABLE, /is not a valid name/],
  ];
  for (const [args, expected, words] of cases) {
    const { code, stdout, stderr } = await penstock([...args, '--json']);
    expect([code, stdout], `${args.join(' ')}: ${stderr}`).toEqual([expected, '']);
    expect(stderr).toMatch(words);
  }
  const nobody = await penstock(['cluster', 'list'], {
    env: { PENSTOCK_URL: 'http://127.0.0.1:9', PENSTOCK_API_KEY: apiKey },
  });
  expect(nobody.code).toBe(UNANSWERED);
  const elsewhere = await penstock(['cluster', 'list'], { env: { PENSTOCK_URL: 'http://127.0.0.1:9' } });
  expect([elsewhere.code, elsewhere.stderr]).toEqual([SIGNED_OUT, expect.stringContaining('is for')]);
});

test('every supported shell gets completions', async () => {
  for (const shell of ['bash', 'zsh', 'fish', 'powershell', 'elvish']) {
    expect(await table('completions', shell)).toContain('agent-key');
  }
});

test('signing out deletes the key, which no command printed', async () => {
  expect((await penstock(['logout'])).code).toBe(DONE);
  expect(await readFile(configFile(), 'utf8')).not.toContain('profiles.default');
  expect((await penstock(['whoami'])).code).toBe(SIGNED_OUT);
  expect(JSON.stringify(printed)).not.toContain(apiKey);
  expect(system.deaths).toEqual([]);
});

test('the SBOM beside the binary lists every crate in it', async () => {
  // Messages of panics name the source file, which is in a folder of the crate and its version.
  const binary = await readFile(agentBinary, 'latin1');
  const paths = binary.matchAll(/\/registry\/src\/[^/]+\/([A-Za-z0-9_-]+?)-(\d+\.\d+\.\d+[^/]*)\//g);
  const compiled = new Set([...paths].map(([, name, version]) => `${name} ${version}`));
  expect(compiled.size).toBeGreaterThan(50);
  const { components } = JSON.parse(await readFile(agentSbom, 'utf8')) as {
    components: { name: string; version: string }[];
  };
  expect(components.map(({ name, version }) => `${name} ${version}`)).toEqual(expect.arrayContaining([...compiled]));
});
