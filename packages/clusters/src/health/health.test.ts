// Health checks with a real database: what is stored, who is alerted and when, and what silences hold back.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { create } from '@bufbuild/protobuf';
import { ClusterViewSchema } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import { counterNames, emptySample, encodeSample } from '@penstock/telemetry';
import { deliverWebhook, listWaitingWebhooks, updateWebhook } from '@penstock/tenancy';
import { testSecretBox } from '@penstock/tenancy/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAgentKey } from '../agent-key/create-agent-key.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { listEvents } from '../event/list-events.ts';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';
import { refusalOf, setUpControlPlane, type TestOrganization } from '../testing/control-plane.ts';
import { chooseRecipient } from './choose-recipient.ts';
import { createSilence } from './create-silence.ts';
import { endSilence } from './end-silence.ts';
import { expireHealth, forgetClusterHealth } from './expire-health.ts';
import { exportMetrics } from './export-metrics.ts';
import { type ClusterHealth, getClusterHealth } from './get-cluster-health.ts';
import { type CheckOutcome, HealthWatch } from './health-watch.ts';
import { type ClusterHealthLevel, listClusterHealth } from './list-cluster-health.ts';

const plane = setUpControlPlane();
const WEB_URL = 'https://app.example.com';

/** The metadata service's report about every cluster. */
const service = {
  zones: ['a', 'b'] as string[],
  withLanding: ['a', 'b'] as string[],
  isDown: false,
  /** The error of each call. */
  error: undefined as Error | undefined,
  /** The key of a completion that was refused now. */
  refusedKeyId: undefined as string | undefined,
};

let nowMs = Date.parse('2026-11-21T03:00:00Z');
let tenant: TestOrganization;
let cluster: Cluster;
let watch: HealthWatch;

const metadata: Pick<MetadataAdmin, 'getClusterView'> = {
  getClusterView: async (clusterId) => {
    if (service.isDown) {
      throw new AppError({ kind: 'unavailable', code: 'metadata_unavailable', message: 'Away.' });
    }
    if (service.error !== undefined) {
      throw service.error;
    }
    const agents = ['a', 'b'].map((zone, index) => ({
      agentId: `agent-${zone}`,
      nodeId: index + 1,
      zone,
      version: '0.1.0',
      alive: service.zones.includes(zone),
      landing: { zones: service.withLanding.includes(zone) ? ['a', 'b'] : [] },
    }));
    const { refusedKeyId } = service;
    const jobRefusal =
      refusedKeyId === undefined
        ? {}
        : { jobRefusal: { atMs: BigInt(nowMs), keyId: refusedKeyId, reason: 'No plan.', completions: 2n } };
    return create(ClusterViewSchema, { clusterId, agents, atMs: BigInt(nowMs), ...jobRefusal });
  },
};

function newWatch(): HealthWatch {
  return new HealthWatch({ database: plane.database, webUrl: WEB_URL, metadata });
}

beforeEach(async () => {
  Object.assign(service, {
    zones: ['a', 'b'],
    withLanding: ['a', 'b'],
    isDown: false,
    refusedKeyId: undefined,
    error: undefined,
  });
  nowMs += 24 * 3_600_000;
  await plane.database.virtualCluster.updateMany({ data: { deletedAt: new Date(nowMs) } });
  tenant = await plane.newTenant();
  cluster = await plane.newCluster(tenant);
  await plane.database.metadataLease.create({
    data: { clusterId: cluster.id, ownerId: 'm', ownerUrl: 'http://m', epoch: 1n, expiresAt: new Date(nowMs * 2) },
  });
  watch = newWatch();
  await check(2);
});

test('names the key that completed a job it was never given', async () => {
  const created = await tenant.run((scope) => createAgentKey(scope, { clusterId: cluster.id, name: 'laptop' }));
  service.refusedKeyId = created.agentKey.id;
  expect(await check()).toMatchObject({ raised: [{ key: 'jobs.not-ordered' }] });
  const { findings } = await health();
  expect(findings).toMatchObject([
    { rule: 'jobs.not-ordered', cause: expect.stringMatching(/Agent key “laptop” completed a job.*2 completions/) },
  ]);
  service.refusedKeyId = undefined;
  nowMs += 3_600_000;
  expect(await check()).toMatchObject({ resolved: [{ key: 'jobs.not-ordered' }] });
});

/** Runs this many checks, five seconds apart, and returns the outcome of the last. */
async function check(times = 1): Promise<CheckOutcome> {
  let outcome: CheckOutcome | undefined;
  for (let time = 0; time < times; time += 1) {
    nowMs += 5_000;
    outcome = await watch.check(new Date(nowMs));
    expect(outcome.failures).toEqual([]);
  }
  if (outcome === undefined) {
    throw new Error('At least one look');
  }
  return outcome;
}

function health(): Promise<ClusterHealth> {
  return tenant.run((scope) => getClusterHealth(scope, { clusterId: cluster.id }), new Date(nowMs));
}

function levels(): Promise<ClusterHealthLevel[]> {
  return tenant.run(listClusterHealth, new Date(nowMs));
}

function mails(): Promise<{ toAddress: string; subject: string; text: string; link: string | null }[]> {
  return plane.database.mail.findMany({
    where: { text: { contains: cluster.id } },
    orderBy: { id: 'asc' },
    select: { toAddress: true, subject: true, text: true, link: true },
  });
}

async function eventTexts(): Promise<unknown[]> {
  const page = await tenant.run((scope) => listEvents(scope, { clusterId: cluster.id, limit: 100 }), new Date(nowMs));
  return page.events.map(({ data }) => data['text']);
}

async function eventTypes(): Promise<string[]> {
  const page = await tenant.run((scope) => listEvents(scope, { clusterId: cluster.id, limit: 100 }), new Date(nowMs));
  return page.events.map(({ type }) => type.replace('io.penstock.', '')).reverse();
}

function silence(rule: 'agents.none' | 'zone.without-agent' | null, minutes: number) {
  const until = new Date(nowMs + minutes * 60_000);
  const input = { clusterId: cluster.id, rule, until, reason: 'Maintenance' };
  return tenant.run((scope) => createSilence(scope, input), new Date(nowMs));
}

// Within 15 s, by mail and webhook.
test('alerts once when a zone loses its agent and once when fixed', async () => {
  const admin = await plane.newMember(tenant, 'admin');
  await plane.newMember(tenant, 'viewer');
  await tenant.run((scope) =>
    updateWebhook(
      scope,
      { url: 'https://hooks.example.com/x' },
      { policy: { isLoopbackAllowed: false, allowedPorts: [443] }, secretBox: testSecretBox },
    ),
  );
  expect(await health()).toMatchObject({
    level: 'healthy',
    findings: [],
    recipients: { webhookHost: 'hooks.example.com' },
  });

  service.zones = ['a'];
  await check(3);
  expect(await health()).toMatchObject({
    level: 'degraded',
    findings: [{ rule: 'zone.without-agent', severity: 'warning', subject: { zone: 'b' }, isSilenced: false }],
  });
  await check(3);
  const told = await mails();
  const { email } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
  expect(told.map(({ toAddress }) => toAddress).sort()).toEqual([email, admin.email].sort());
  expect(told[0]).toMatchObject({
    subject: `Warning: A zone has lost its last agent (${cluster.name})`,
    text: expect.stringContaining('What to do: Start an agent in this zone.'),
    link: `${WEB_URL}/app/clusters/${cluster.id}/events`,
  });

  service.zones = ['a', 'b'];
  await check(3);
  expect(await health()).toMatchObject({ level: 'healthy', findings: [] });
  await check(3);
  expect((await mails()).slice(2).map(({ subject }) => subject)).toEqual([
    `Resolved: A zone has lost its last agent (${cluster.name})`,
    `Resolved: A zone has lost its last agent (${cluster.name})`,
  ]);
  const calls = await plane.database.webhookDelivery.findMany({
    where: { organizationId: tenant.organizationId },
    orderBy: { id: 'asc' },
  });
  expect(calls.map(({ event }) => event)).toEqual(['health.raised', 'health.resolved']);
  expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
    type: 'health.raised',
    data: { clusterId: cluster.id, rule: 'zone.without-agent', severity: 'warning', resolvedAt: null },
  });
  expect(await eventTypes()).toEqual([
    'agent.joined',
    'agent.joined',
    'agent.left',
    'health.raised',
    'agent.back',
    'health.resolved',
  ]);
});

test('events are CloudEvents 1.0 and come in pages, newest first', async () => {
  const pageOf = (cursor: string | null) =>
    tenant.run((scope) => listEvents(scope, { clusterId: cluster.id, limit: 1, cursor }), new Date(nowMs));
  const first = await pageOf(null);
  const second = await pageOf(first.nextCursor);
  expect(second.nextCursor).toBeNull();
  expect([...first.events, ...second.events].map(({ subject }) => subject).sort()).toEqual(['agent/1', 'agent/2']);
  expect(first.events[0]).toEqual({
    specversion: '1.0',
    id: expect.any(String),
    source: `/organizations/${tenant.organizationId}/clusters/${cluster.id}`,
    type: 'io.penstock.agent.joined',
    subject: expect.any(String),
    time: expect.stringMatching(/Z$/),
    datacontenttype: 'application/json',
    data: expect.objectContaining({ severity: 'info', text: expect.stringContaining('joined') }),
  });
});

describe('two workers', () => {
  test('alert once and continue from each other’s history', async () => {
    const other = newWatch();
    service.zones = [];
    for (let time = 0; time < 4; time += 1) {
      nowMs += 5_000;
      const outcomes = await Promise.all([watch.check(new Date(nowMs)), other.check(new Date(nowMs))]);
      expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    }
    watch = newWatch();
    await check(2);
    expect((await mails()).map(({ subject }) => subject)).toEqual([
      `Critical: No agents are running (${cluster.name})`,
    ]);
    expect((await eventTypes()).filter((type) => type === 'health.raised')).toHaveLength(1);
    service.zones = ['a', 'b'];
    await check(3);
    expect((await health()).level).toBe('healthy');
  });
});

test('reports an unresponsive metadata service, not its agents', async () => {
  service.isDown = true;
  await check(4);
  expect(await health()).toMatchObject({ level: 'critical', findings: [{ rule: 'metadata.unreachable' }] });
  service.isDown = false;
  await check(1);
  expect(await health()).toMatchObject({ level: 'healthy', findings: [] });
});

test.each([
  ['refuses our tokens', new AppError({ kind: 'internal', code: 'internal_token_refused', message: 'Refused.' })],
  ['fails', new Error('a defect')],
])('a cluster is unreachable if its service %s', async (_how, error) => {
  service.error = error;
  for (let time = 0; time < 4; time += 1) {
    nowMs += 5_000;
    // Operators see the cause.
    expect((await watch.check(new Date(nowMs))).failures).toEqual([{ clusterId: cluster.id, error }]);
  }
  expect(await health()).toMatchObject({ level: 'critical', findings: [{ rule: 'metadata.unreachable' }] });
  service.error = undefined;
  await check(1);
  expect(await health()).toMatchObject({ level: 'healthy', findings: [] });
});

test('a stopped cluster is critical until it is resumed', async () => {
  const hash = new Uint8Array(32);
  const stop = {
    number: 1,
    history: 0,
    witness: 'an agent',
    witnessedSeq: 9n,
    witnessedHash: hash,
    lastSeq: 7n,
    lastHash: hash,
  };
  await plane.database.metadataStop.create({ data: { clusterId: cluster.id, ...stop } });
  await check(1);
  expect(await health()).toMatchObject({ level: 'critical', findings: [{ rule: 'metadata.stopped' }] });
  await plane.database.metadataStop.updateMany({
    where: { clusterId: cluster.id },
    data: { resolvedAt: new Date(nowMs), resolution: 'accepted' },
  });
  await check(1);
  expect(await health()).toMatchObject({ level: 'healthy', findings: [] });
});

test('a cluster with a broken state names entry and command', async () => {
  const hash = new Uint8Array(32);
  const stop = {
    number: 1,
    history: 0,
    witness: 'the state machine',
    witnessedSeq: 7n,
    witnessedHash: hash,
    lastSeq: 7n,
    lastHash: hash,
    faultCommand: 'commit-file',
    faultSha256: 'ab'.repeat(32),
    faultMessage: 'invariant broken: x',
  };
  await plane.database.metadataStop.create({ data: { clusterId: cluster.id, ...stop } });
  await check(1);
  const cause = expect.stringMatching(/journal entry 7, at the command commit-file \(abababababababab\)/);
  expect(await health()).toMatchObject({ level: 'critical', findings: [{ rule: 'metadata.fault', cause }] });
});

test('a finding back within ten minutes does not alert again', async () => {
  const fault = async (zones: string[], looks: number): Promise<void> => {
    service.zones = zones;
    await check(looks);
  };
  await fault(['a'], 4);
  await fault(['a', 'b'], 4);
  expect(await mails()).toHaveLength(2);
  await fault(['a'], 4);
  expect(await mails()).toHaveLength(2);
  nowMs += 10 * 60_000;
  await fault(['a'], 1);
  expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['Warning', 'Resolved', 'Warning']);
});

describe('a silence', () => {
  test('holds back mails until it ends, then alerts what remains', async () => {
    await silence('zone.without-agent', 30);
    service.zones = ['a'];
    await check(4);
    expect(await health()).toMatchObject({ level: 'degraded', findings: [{ isSilenced: true }] });
    expect(await mails()).toEqual([]);
    nowMs += 31 * 60_000;
    await check(1);
    expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['Warning']);
  });

  test('mutes only its own rule and sends no stray resolution', async () => {
    await silence('zone.without-agent', 30);
    service.zones = ['a'];
    await check(4);
    service.zones = ['a', 'b'];
    await check(4);
    expect(await mails()).toEqual([]);
    service.zones = [];
    await check(4);
    expect((await mails()).map(({ subject }) => subject.split(':')[0])).toEqual(['Critical']);
  });

  test('can be ended, is audited and appears in the event log', async () => {
    const made = await silence(null, 30);
    service.zones = [];
    await check(4);
    expect(await mails()).toEqual([]);
    await tenant.run((scope) => endSilence(scope, { silenceId: made.id }), new Date(nowMs));
    await check(1);
    expect(await mails()).toHaveLength(1);
    const end = tenant.run((scope) => endSilence(scope, { silenceId: made.id }), new Date(nowMs));
    expect(await refusalOf(end)).toBe('silence_not_found');
    expect((await plane.auditOf(tenant)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['silence.create', 'silence.end']),
    );
    expect(await eventTypes()).toEqual(expect.arrayContaining(['silence.created', 'silence.ended']));
  });

  test('is described by title and length in plain words', async () => {
    const { id, createdBy } = await silence('zone.without-agent', 30);
    await tenant.run((scope) => endSilence(scope, { silenceId: id }), new Date(nowMs));
    expect(await eventTexts()).toEqual(
      expect.arrayContaining([
        `${createdBy} silenced “A zone has lost its last agent” for 30 min.`,
        `${createdBy} ended the silence of “A zone has lost its last agent”.`,
      ]),
    );
  });

  test('marks a fully silenced cluster but keeps its level', async () => {
    const own = { clusterId: cluster.id, level: 'degraded' };
    service.zones = ['a'];
    await check(4);
    expect(await levels()).toEqual([{ ...own, isSilenced: false }]);
    await silence('agents.none', 30);
    expect(await levels()).toEqual([{ ...own, isSilenced: false }]);
    await silence('zone.without-agent', 30);
    expect(await levels()).toEqual([{ ...own, isSilenced: true }]);
    nowMs += 31_000;
    expect(await levels()).toEqual([{ ...own, level: 'unknown', isSilenced: true }]);
  });

  test.each([
    ['the past', -1],
    ['more than 30 days', 30 * 24 * 60 + 1],
  ])('until %s is refused', async (_what, minutes) => {
    expect(await refusalOf(silence(null, minutes))).toBe('silence_until_invalid');
  });
});

test('metrics report what is known without the metadata service', async () => {
  const scrape = () =>
    tenant.run((scope) => exportMetrics(scope, metadata, { clusterId: cluster.id }), new Date(nowMs));
  service.zones = ['a'];
  await check(3);
  const text = await scrape();
  expect(text).toContain('penstock_cluster_health{level="degraded"} 1');
  expect(text).toContain('penstock_cluster_agents{zone="a"} 1\npenstock_cluster_agents{zone="b"} 0');
  service.isDown = true;
  expect(await scrape()).not.toContain('penstock_cluster_agents');
});

test('a verdict that is not renewed becomes unknown', async () => {
  nowMs += 31_000;
  expect((await health()).level).toBe('unknown');
});

test('deletes history after 90 days, and all of a purged cluster', async () => {
  service.zones = [];
  await check(4);
  await expireHealth(plane.worker, new Date(nowMs + 91 * 24 * 3_600_000));
  expect(await plane.database.clusterEvent.count({ where: { clusterId: cluster.id } })).toBe(0);
  expect(await plane.database.healthFinding.count({ where: { clusterId: cluster.id } })).toBe(1);
  await plane.database.$transaction((tx) => forgetClusterHealth(tx, cluster.id));
  expect(await plane.database.healthFinding.count({ where: { clusterId: cluster.id } })).toBe(0);
});

test('hides a cluster’s health and silences from others', async () => {
  const stranger = await plane.newTenant();
  const made = await silence(null, 30);
  expect(await stranger.run(listClusterHealth, new Date(nowMs))).toEqual([]);
  const input = { clusterId: cluster.id, limit: 10 };
  const until = new Date(nowMs + 60_000);
  for (const [code, refused] of [
    ['cluster_not_found', () => stranger.run((scope) => getClusterHealth(scope, input))],
    ['cluster_not_found', () => stranger.run((scope) => listEvents(scope, input))],
    [
      'cluster_not_found',
      () => stranger.run((scope) => createSilence(scope, { ...input, rule: null, until, reason: '' })),
    ],
    ['silence_not_found', () => stranger.run((scope) => endSilence(scope, { silenceId: made.id }), new Date(nowMs))],
  ] as const) {
    expect(await refusalOf(refused())).toBe(code);
  }
});

test('expects landing buckets only in low-latency mode', async () => {
  service.withLanding = ['a'];
  await check(4);
  expect(await health()).toMatchObject({ level: 'healthy' });
  await plane.database.virtualCluster.update({ where: { id: cluster.id }, data: { mode: 'low-latency' } });
  await check(4);
  expect(await health()).toMatchObject({
    level: 'degraded',
    findings: [{ rule: 'agent.no-landing-buckets', subject: { agentId: 'agent-b', zone: 'b' } }],
  });
  service.withLanding = ['a', 'b'];
  await check(4);
  expect(await health()).toMatchObject({ level: 'healthy', findings: [] });
});

test('judges agents’ readings in spite of an unreadable report', async () => {
  const slot = new Date(Math.floor(nowMs / 10_000) * 10_000);
  const day = slot.toISOString().slice(0, 10);
  await plane.database.$executeRawUnsafe(
    `CREATE TABLE telemetry.agent_10s_test PARTITION OF telemetry.agent_10s FOR VALUES FROM ('${day}') TO ('${day}'::date + 1)`,
  );
  const counters = counterNames.map((name) => (name === 'object_puts' || name === 'object_put_errors' ? 5 : 0));
  const failing = encodeSample({ ...emptySample, windows: 1, durationMs: 10_000, counters });
  for (const [zone, sample] of [
    ['a', failing],
    ['b', new Uint8Array([99])],
  ] as const) {
    await plane.database.$executeRaw`
      WITH agent AS (
        INSERT INTO telemetry.agent (cluster_id, organization_id, incarnation_id, agent_id, zone, version, origin, last_slot)
        VALUES (${cluster.id}::uuid, ${tenant.organizationId}, gen_random_uuid(), ${`agent-${zone}`}, ${zone}, '0.1.0', ${slot}, ${slot})
        RETURNING agent_no
      )
      INSERT INTO telemetry.agent_10s (cluster_id, slot, agent_no, seq, sample)
      SELECT ${cluster.id}::uuid, ${slot}, agent_no, 1, ${sample} FROM agent`;
  }
  await check(1);
  expect(await health()).toMatchObject({
    level: 'critical',
    findings: [
      { rule: 'object-store.failing', subject: { agentId: 'agent-a' }, cause: expect.stringContaining('5 of 5') },
    ],
  });
});

test('mails each member as chosen, or else by role', async () => {
  const [admin, viewer] = [await plane.newMember(tenant, 'admin'), await plane.newMember(tenant, 'viewer')];
  const choose = (userId: string, isTold: boolean) => tenant.run((scope) => chooseRecipient(scope, { userId, isTold }));
  const told = async () => (await health()).recipients.members.filter(({ isTold }) => isTold).map(({ email }) => email);
  const { email: owner } = await plane.database.user.findUniqueOrThrow({ where: { id: tenant.userId } });
  expect(await told()).toEqual([owner, admin.email]);
  expect(await choose(admin.userId, false)).toEqual({ changed: true });
  expect(await choose(viewer.userId, true)).toEqual({ changed: true });
  expect(await choose(viewer.userId, true)).toEqual({ changed: false });
  expect(await refusalOf(choose('nobody', true))).toBe('member_not_found');
  expect(await told()).toEqual([owner, viewer.email]);
  expect((await plane.auditOf(tenant)).filter(({ action }) => action === 'alerts.choose-recipient')).toHaveLength(2);
  service.zones = ['a'];
  await check(4);
  expect((await mails()).map(({ toAddress }) => toAddress).sort()).toEqual([owner, viewer.email].sort());
});

test('delivers a finding to the webhook, signed byte for byte', async () => {
  const arrived: { signature: string; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      arrived.push({
        signature: String(request.headers['penstock-signature']),
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  try {
    // Lets the SSRF guard accept this machine, as in a local installation.
    const policy = { isLoopbackAllowed: true, allowedPorts: [443] };
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`;
    const { secret } = await tenant.run((scope) => updateWebhook(scope, { url }, { policy, secretBox: testSecretBox }));
    service.zones = ['a'];
    await check(4);
    service.zones = ['a', 'b'];
    await check(4);
    const waiting = await listWaitingWebhooks(plane.worker);
    const own = waiting.filter(({ organizationId }) => organizationId === tenant.organizationId);
    for (const { id } of own) {
      expect(await deliverWebhook(plane.worker, id, new Date(), { policy, secretBox: testSecretBox })).toEqual({
        end: 'delivered',
      });
    }
    expect(arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
      'health.raised',
      'health.resolved',
    ]);
    for (const { signature, body } of arrived) {
      const [, at, hex] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
      expect(hex).toBe(
        createHmac('sha256', secret ?? '')
          .update(`${at}.${body}`)
          .digest('hex'),
      );
    }
  } finally {
    receiver.close();
  }
});
