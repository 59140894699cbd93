// Telemetry from agents over the wire into PostgreSQL: each report is stored once, whatever happens on the way.
import { randomBytes } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, ConnectError } from '@connectrpc/connect';
import {
  BucketOperation,
  ClientMetric,
  type CredentialUseSchema,
  LatencyStage,
  type ReportTelemetryRequestSchema,
  type TelemetryReportSchema,
} from '@penstock/metadata-protocol';
import { counterOf, decodeSample, latencyOf, latencyStages, type Sample, sketchCount } from '@penstock/telemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

/** As written literally, not as decoded. */
interface Plain {
  $typeName?: never;
}
type Request = Extract<MessageInitShape<typeof ReportTelemetryRequestSchema>, Plain>;
type Report = Extract<MessageInitShape<typeof TelemetryReportSchema>, Plain>;

const WINDOW_MS = 10_000;

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
let connection: AgentConnection;
let clusterId: string;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startTestServer(controlPlane.database.ownerUrl);
});
afterAll(async () => {
  await server.close();
  await controlPlane.drop();
});
beforeEach(async () => {
  const cluster = await controlPlane.createCluster();
  clusterId = cluster.clusterId;
  connection = connectAgent(server.rpcUrl, cluster);
});
afterEach(() => connection.close());

/** The report of the window with this number; its counters contain the number too. */
function windowReport(sequence: number, change: Partial<Report> = {}): Report {
  return {
    sequence: BigInt(sequence),
    startElapsedMs: BigInt((sequence - 1) * WINDOW_MS),
    durationMs: WINDOW_MS,
    counters: { producedBytes: BigInt(sequence), cpuUs: 1_000n },
    gauges: { openConnections: 3n, residentBytes: 2_048n },
    requests: [{ apiKey: 0, requests: 5n }],
    errors: [{ apiKey: 0, errorCode: 7, errors: 1n }],
    latencies: [{ stage: LatencyStage.PRODUCE, bucketGap: [40, 3], bucketCount: [4, 1] }],
    ...change,
  };
}

function callOf(incarnationId: Uint8Array, reports: Report[], sentElapsedMs = 60_000): Request {
  return {
    incarnationId,
    agentId: 'agent-1',
    zone: 'a',
    version: '0.1.0',
    sentElapsedMs: BigInt(sentElapsedMs),
    reports,
  };
}

interface StoredReport {
  seq: number;
  slotMs: number;
  sample: Sample;
}

async function storedReports(): Promise<StoredReport[]> {
  const { rows } = await controlPlane.pool.query<{ seq: string; slot: Date; sample: Buffer }>(
    'SELECT seq, slot, sample FROM telemetry.agent_10s WHERE cluster_id = $1 ORDER BY seq',
    [clusterId],
  );
  return rows.map(({ seq, slot, sample }) => ({
    seq: Number(seq),
    slotMs: slot.getTime(),
    sample: decodeSample(sample),
  }));
}

async function refusalsOfAgent(): Promise<{ refused: number; why: string | null }> {
  const { rows } = await controlPlane.pool.query<{ refused_reports: string; last_refusal: string | null }>(
    'SELECT refused_reports, last_refusal FROM telemetry.agent WHERE cluster_id = $1',
    [clusterId],
  );
  return { refused: Number(rows[0]?.refused_reports), why: rows[0]?.last_refusal ?? null };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${server.httpUrl}/metrics`)).text();
  return Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

test('a report stores what the agent measured in its window', async () => {
  const before = Date.now();
  const answer = await connection.client.reportTelemetry(callOf(randomBytes(16), [windowReport(1)], WINDOW_MS));
  expect(answer).toMatchObject({ startOver: false, refused: [] });
  expect(Number(answer.serverTimeMs)).toBeGreaterThanOrEqual(before);
  const [stored] = await storedReports();
  expect(stored).toBeDefined();
  if (stored === undefined) {
    return;
  }
  expect(counterOf(stored.sample, 'produced_bytes')).toBe(1);
  expect(sketchCount(latencyOf(stored.sample, latencyStages.produce))).toBe(5);
  expect(stored.sample.requests).toEqual(new Map([[0, 5]]));
  // The window ended during the call, however long that took; its slot covers most of it.
  const slotEndMs = stored.slotMs + WINDOW_MS;
  expect(slotEndMs).toBeGreaterThanOrEqual(before - WINDOW_MS / 2);
  expect(slotEndMs).toBeLessThanOrEqual(Number(answer.serverTimeMs) + WINDOW_MS / 2);
});

test('stores landing figures, 0 if there were none', async () => {
  const counters = {
    landingPuts: 1n,
    landingPutBytes: 2n,
    landingPutErrors: 3n,
    landingGets: 4n,
    landingMisses: 5n,
    landingFallbacks: 6n,
    landingGetErrors: 7n,
  };
  const reports = [windowReport(1, { counters }), windowReport(2)];
  await connection.client.reportTelemetry(callOf(randomBytes(16), reports, 2 * WINDOW_MS));
  const names = [
    'landing_puts',
    'landing_put_bytes',
    'landing_put_errors',
    'landing_gets',
    'landing_misses',
    'landing_fallbacks',
    'landing_get_errors',
  ] as const;
  const stored = await storedReports();
  expect(stored.map(({ sample }) => names.map((name) => counterOf(sample, name)))).toEqual([
    [1, 2, 3, 4, 5, 6, 7],
    [0, 0, 0, 0, 0, 0, 0],
  ]);
});

test.each<[string, Report['counters'] & object]>([
  // 1,000 early requests a second, each 250 ms before the interval would have ended.
  ['requests that leave early', { earlyRequests: 10_000n, earlySavedUs: 2_500_000_000n }],
  ['requests that leave a minute early', { earlyRequests: 1_000_000n, earlySavedUs: 60_000_000_000_000n }],
  ['jobs on 128 cores', { cpuUs: 1_280_000_000n, jobCpuUs: 1_280_000_000n }],
  ['a thousand throttled connections', { throttledUs: 10_000_000_000n }],
  [
    '400 Gbit/s',
    { producedBytes: 500_000_000_000n, landingPutBytes: 500_000_000_000n, jobReadBytes: 500_000_000_000n },
  ],
])('a report about %s is stored', async (_what, counters) => {
  const answer = await connection.client.reportTelemetry(
    callOf(randomBytes(16), [windowReport(1, { counters })], WINDOW_MS),
  );
  expect(answer.refused).toEqual([]);
  expect(await storedReports()).toHaveLength(1);
});

test('a duplicate changes nothing, however it arrives', async () => {
  const incarnation = randomBytes(16);
  const { client } = connection;
  await client.reportTelemetry(callOf(incarnation, [windowReport(1)], WINDOW_MS));
  const [first] = await storedReports();
  await controlPlane.pool.query('DELETE FROM telemetry.due WHERE cluster_id = $1', [clusterId]);
  await Promise.all(
    [WINDOW_MS, WINDOW_MS + 4_000, 50 * 60_000].map((sentElapsedMs) =>
      client.reportTelemetry(callOf(incarnation, [windowReport(1), windowReport(1)], sentElapsedMs)),
    ),
  );
  // Not even a retry with different contents.
  await client.reportTelemetry(callOf(incarnation, [windowReport(1, { counters: { producedBytes: 99n } })], WINDOW_MS));
  expect(await storedReports()).toEqual([first]);
  const due = await controlPlane.pool.query('SELECT 1 FROM telemetry.due WHERE cluster_id = $1', [clusterId]);
  expect(due.rowCount).toBe(0);
});

test('stores late reports in the slots of reports in order', async () => {
  const incarnation = randomBytes(16);
  const { client } = connection;
  for (const sequence of [3, 1, 4, 2]) {
    await client.reportTelemetry(callOf(incarnation, [windowReport(sequence)]));
  }
  const stored = await storedReports();
  expect(stored.map(({ seq, sample }) => [seq, counterOf(sample, 'produced_bytes')])).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  const firstMs = stored[0]?.slotMs ?? 0;
  expect(stored.map(({ slotMs }) => slotMs - firstMs)).toEqual([0, 10_000, 20_000, 30_000]);
});

test('refuses and counts a report more than an hour old', async () => {
  const before = await metric('penstock_metadata_telemetry_refusals_total{reason="late"}');
  const answer = await connection.client.reportTelemetry(
    callOf(randomBytes(16), [windowReport(1), windowReport(720)], 720 * WINDOW_MS),
  );
  expect(answer.refused).toMatchObject([{ sequence: 1n, reason: 'the window lies more than 60 minutes back' }]);
  expect((await storedReports()).map(({ seq }) => seq)).toEqual([720]);
  await expect.poll(refusalsOfAgent).toMatchObject({ refused: 1 });
  expect(await metric('penstock_metadata_telemetry_refusals_total{reason="late"}')).toBe(before + 1);
});

test.each<[string, Partial<Report>, RegExp]>([
  ['a window of no length', { durationMs: 0 }, /window of 0 ms/],
  ['a window of a day', { durationMs: 86_400_000 }, /window of 86400000 ms/],
  ['a window in the future', { startElapsedMs: 100_000n }, /ends after/],
  ['more bytes than any machine moves', { counters: { producedBytes: 1n << 60n } }, /produced_bytes/],
  ['more CPU time than any machine has', { counters: { cpuUs: 1n << 50n } }, /cpu_us/],
  ['more job CPU time than any machine has', { counters: { jobCpuUs: 1n << 50n } }, /job_cpu_us/],
  ['more time saved than requests wait for', { counters: { earlySavedUs: 1n << 60n } }, /early_saved_us/],
  ['more memory than any machine has', { gauges: { residentBytes: 1n << 62n } }, /residentBytes/],
  ['a clock a thousand years ahead', { gauges: { clockOffsetMs: 1n << 50n } }, /clock offset/],
  ['a bucket that does not exist', { latencies: [{ stage: 1, bucketGap: [896], bucketCount: [1] }] }, /no bucket 896/],
  ['a bucket twice', { latencies: [{ stage: 1, bucketGap: [5, 0], bucketCount: [1, 1] }] }, /occurs twice/],
  ['an empty bucket', { latencies: [{ stage: 1, bucketGap: [5], bucketCount: [0] }] }, /empty bucket/],
  ['buckets without counts', { latencies: [{ stage: 1, bucketGap: [5], bucketCount: [] }] }, /do not fit/],
  [
    'more latencies than time',
    { latencies: [{ stage: 1, bucketGap: [5], bucketCount: [4_000_000_000] }] },
    /beyond any/,
  ],
  ['one stage twice', { latencies: [{ stage: 1 }, { stage: 1 }] }, /same stage/],
  ['a store with a strange name', { latencies: [{ stage: 1, store: "s3'; --" }] }, /short name/],
  ['an API that Kafka lacks', { requests: [{ apiKey: -1, requests: 1n }] }, /no API/],
  ['an error code that Kafka lacks', { errors: [{ apiKey: 1, errorCode: 70_000, errors: 1n }] }, /no error code/],
])('%s is refused and counted without the rest of its call', async (_what, change, why) => {
  const reports = [windowReport(1), windowReport(2, change), windowReport(3)];
  const { refused } = await connection.client.reportTelemetry(callOf(randomBytes(16), reports));
  expect(refused).toMatchObject([{ sequence: 2n, reason: expect.stringMatching(why) }]);
  expect((await storedReports()).map(({ seq }) => seq)).toEqual([1, 3]);
  await expect.poll(refusalsOfAgent).toMatchObject({ refused: 1, why: expect.stringMatching(why) });
});

test('a plausible diagnosis replaces the agent’s earlier one', async () => {
  const incarnation = randomBytes(16);
  const tell = (sequence: number, message: string) => {
    const failure = { class: 'access-denied', code: 'AccessDenied', message };
    const diagnosis = { ageMs: 5_000n, checks: [{ operation: BucketOperation.PUT, failure }] };
    return connection.client.reportTelemetry({ ...callOf(incarnation, [windowReport(sequence)]), diagnosis });
  };
  const stored = async () => {
    const { rows } = await controlPlane.pool.query<{ diagnosis: unknown; is_troubled: boolean }>(
      'SELECT diagnosis, is_troubled FROM telemetry.agent WHERE cluster_id = $1',
      [clusterId],
    );
    return rows;
  };
  await tell(1, 'first');
  await tell(2, 'second');
  expect(await stored()).toMatchObject([
    { is_troubled: true, diagnosis: { version: 1, checks: [{ operation: 'put', failure: { message: 'second' } }] } },
  ]);
  expect((await tell(3, 'x'.repeat(1_000))).refused).toEqual([]);
  expect(await stored()).toMatchObject([{ diagnosis: { checks: [{ failure: { message: 'second' } }] } }]);
  expect(await storedReports()).toHaveLength(3);
  await expect.poll(refusalsOfAgent).toMatchObject({ refused: 1, why: expect.stringMatching(/^diagnosis: /) });
});

test('keeps an agent’s reports when its drifted clock restarts', async () => {
  const incarnation = randomBytes(16);
  const { client } = connection;
  expect((await client.reportTelemetry(callOf(incarnation, [windowReport(1)]))).startOver).toBe(false);
  expect((await client.reportTelemetry(callOf(incarnation, [windowReport(2)], 90_000))).startOver).toBe(true);
  expect(await storedReports()).toHaveLength(2);
});

test.each<[string, Partial<Request>, string]>([
  ['no incarnation', { incarnationId: new Uint8Array(3) }, 'incarnation_id'],
  ['no agent', { agentId: '' }, 'agent_id'],
  ['too many reports', { reports: Array.from({ length: 31 }, (_, index) => windowReport(index + 1)) }, 'at most 30'],
])('a call with %s is refused as a whole', async (_what, change, message) => {
  const refusal = await connection.client
    .reportTelemetry({ ...callOf(randomBytes(16), [windowReport(1)]), ...change })
    .catch((error: unknown) => ConnectError.from(error));
  expect(refusal).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringContaining(message) });
});

describe('a report about access control', () => {
  const denied = (resourceName: string, count: number, clientId = 'app') => ({
    principal: 'User:alice',
    host: '10.0.0.1',
    clientId,
    resourceType: 2,
    resourceName,
    operation: 3,
    enforced: true,
    count: BigInt(count),
    firstAgeMs: 5_000n,
    lastAgeMs: 1_000n,
  });
  const report = (
    revision: number,
    names: [string, number][],
    used: Extract<MessageInitShape<typeof CredentialUseSchema>, Plain>[] = [],
  ) =>
    connection.client.reportTelemetry({
      ...callOf(incarnation, []),
      access: { revision: BigInt(revision), denied: names.map(([name, count]) => denied(name, count)), used },
    });
  const stored = async () => {
    const { rows } = await controlPlane.pool.query<{ resource_name: string; count: string }>(
      'SELECT resource_name, count FROM telemetry.denied_request WHERE cluster_id = $1 ORDER BY resource_name',
      [clusterId],
    );
    return rows.map(({ resource_name, count }) => [resource_name, Number(count)]);
  };
  let incarnation: Uint8Array;
  beforeEach(() => {
    incarnation = randomBytes(16);
  });

  test('replaces the agent’s denied requests with newer ones only', async () => {
    await report(3, [
      ['orders', 2],
      ['bills', 1],
    ]);
    await report(3, [
      ['orders', 2],
      ['bills', 1],
    ]);
    expect(await stored()).toEqual([
      ['bills', 1],
      ['orders', 2],
    ]);
    await report(5, [['orders', 4]]);
    await report(4, [
      ['orders', 3],
      ['bills', 1],
    ]);
    expect((await stored()).at(-1)).toEqual(['orders', 4]);
  });

  test('is refused when its revision cannot be stored', async () => {
    const call = { ...callOf(incarnation, []), access: { revision: 2n ** 64n - 1n } };
    await expect(connection.client.reportTelemetry(call)).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test('keeps each credential’s latest use in any order', async () => {
    const used = (ageMs: number, host: string) =>
      report(1, [], [{ user: 'alice', mechanism: 1, host, ageMs: BigInt(ageMs) }]);
    await used(1_000, '10.0.0.2');
    await used(3_600_000, '10.0.0.3');
    const { rows } = await controlPlane.pool.query(
      'SELECT user_name, mechanism, host FROM telemetry.credential_use WHERE cluster_id = $1',
      [clusterId],
    );
    expect(rows).toEqual([{ user_name: 'alice', mechanism: 1, host: '10.0.0.2' }]);
  });

  test('shows a denied client with unprintable characters in its ID', async () => {
    await connection.client.reportTelemetry({
      ...callOf(incarnation, []),
      access: { revision: 1n, denied: [denied('orders', 1, 'a\u202eb')], used: [] },
    });
    const { rows } = await controlPlane.pool.query(
      'SELECT client_id FROM telemetry.denied_request WHERE cluster_id = $1',
      [clusterId],
    );
    expect(rows).toEqual([{ client_id: 'a\ufffdb' }]);
  });

  test('loses only the names that cannot be shown', async () => {
    await report(1, [
      ['orders\u0000', 1],
      ['t'.repeat(1_025), 1],
      ['orders', 1],
    ]);
    expect(await stored()).toEqual([['orders', 1]]);
    await expect.poll(refusalsOfAgent).toMatchObject({ refused: 2 });
  });
});

describe('client metrics of a report', () => {
  const instance = Buffer.alloc(16, 7);
  const client = {
    clientId: 'orders',
    softwareName: 'librdkafka',
    softwareVersion: '2.12.1',
    instanceIds: [instance],
    metrics: [{ metric: ClientMetric.PRODUCER_RECORD_SEND_RATE, readings: 2, sum: 5, max: 4 }],
  };

  async function stored(): Promise<unknown[]> {
    const { rows } = await controlPlane.pool.query<{ client_id: string; sample: unknown }>(
      'SELECT client_id, sample FROM telemetry.client_10s WHERE cluster_id = $1 ORDER BY client_id',
      [clusterId],
    );
    return rows.map(({ client_id: clientId, sample }) => [clientId, sample]);
  }

  test('are stored once by client ID in their window’s slot', async () => {
    const call = callOf(randomBytes(16), [windowReport(1, { clients: [client, { ...client, clientId: '' }] })]);
    await connection.client.reportTelemetry(call);
    await connection.client.reportTelemetry(call);
    const sample = {
      software: [['librdkafka', '2.12.1']],
      instances: [instance.toString('base64url')],
      metrics: { '1': [2, 5, 4] },
    };
    expect(await stored()).toEqual([
      ['', sample],
      ['orders', sample],
    ]);
    const { rows } = await controlPlane.pool.query(
      `SELECT count(*)::int AS count FROM telemetry.client_10s JOIN telemetry.agent_10s USING (cluster_id, slot, agent_no, seq)
       WHERE cluster_id = $1`,
      [clusterId],
    );
    expect(rows).toEqual([{ count: 2 }]);
  });

  test.each([
    ['a client ID that is too long', { ...client, clientId: 'c'.repeat(256) }],
    ['an instance ID of another length', { ...client, instanceIds: [Buffer.alloc(15)] }],
    ['no readings', { ...client, metrics: [{ metric: 1, readings: 0, sum: 0, max: 0 }] }],
    ['a sum that is no number', { ...client, metrics: [{ metric: 1, readings: 1, sum: Number.NaN, max: 0 }] }],
  ])('leave out only entries with %s', async (_what, bad) => {
    const report = windowReport(1, { clients: [bad, client] });
    await connection.client.reportTelemetry(callOf(randomBytes(16), [report]));
    expect(await stored()).toMatchObject([['orders', {}]]);
    await expect.poll(refusalsOfAgent).toMatchObject({ refused: 1 });
  });

  test('are kept with unprintable characters replaced', async () => {
    const clients = [
      { ...client, clientId: 'a\u202eb', softwareName: 'lib\u200brdkafka', softwareVersion: '2\n' },
      { ...client, clientId: 'a\u200bb', instanceIds: [Buffer.alloc(16, 8)] },
    ];
    await connection.client.reportTelemetry(callOf(randomBytes(16), [windowReport(1, { clients })]));
    const sample = {
      software: [
        ['librdkafka', '2.12.1'],
        ['lib\ufffdrdkafka', '2\ufffd'],
      ],
      metrics: { '1': [4, 10, 4] },
    };
    expect(await stored()).toMatchObject([['a\ufffdb', sample]]);
    expect(await refusalsOfAgent()).toEqual({ refused: 0, why: null });
  });

  test('count the agent’s omissions up to a limit', async () => {
    const reports = [3n, 1n << 60n].map((leftOutPushes, index) => windowReport(index + 1, { leftOutPushes }));
    await connection.client.reportTelemetry(callOf(randomBytes(16), reports));
    const { rows } = await controlPlane.pool.query(
      'SELECT sum(dropped_pushes)::int AS dropped FROM telemetry.client_hour WHERE cluster_id = $1',
      [clusterId],
    );
    expect(rows).toEqual([{ dropped: 1_000_003 }]);
    expect(await stored()).toEqual([]);
  });

  test('keep the metrics that this version knows', async () => {
    const metrics = [...client.metrics, { metric: 199 as ClientMetric, readings: 1, sum: 1, max: 1 }];
    const report = windowReport(1, { clients: [{ ...client, metrics }] });
    await connection.client.reportTelemetry(callOf(randomBytes(16), [report]));
    expect(await stored()).toMatchObject([['orders', { metrics: { '1': [2, 5, 4] } }]]);
  });
});
