// A cluster whose journal lost acknowledged entries, on a real PostgreSQL, from the view of agents and operators.
import { type Client, Code, ConnectError } from '@connectrpc/connect';
import { acceptLostTail, inspectStopped, resumeRestored, SPARED_FOR_MS } from '@penstock/metadata-journal';
import { CLUSTER_STOPPED_HEADER, JOURNAL_POSITION_HEADER, type MetadataService } from '@penstock/metadata-protocol';
import { newId } from '@penstock/platform';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MetadataServer } from '../server.ts';
import { type AgentConnection, connectAgent } from '../testing/agent-client.ts';
import { type ClusterWithKey, ControlPlaneFixture } from '../testing/control-plane-fixture.ts';
import { startTestServer } from '../testing/test-server.ts';

const BATCH_BYTES = 1_000;

let controlPlane: ControlPlaneFixture;
let cluster: ClusterWithKey;
let server: MetadataServer;
let connection: AgentConnection;
let topicId: Uint8Array;

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
});

afterAll(async () => {
  await controlPlane.drop();
});

/** Restarts the service, so that it remembers nothing: the failover took the process as well. */
async function restartService(): Promise<void> {
  await endService();
  await startService();
}

async function endService(): Promise<void> {
  connection.close();
  await server.close();
}

async function startService(): Promise<void> {
  server = await startTestServer(controlPlane.database.ownerUrl);
  connection = connectAgent(server.rpcUrl, cluster);
}

beforeEach(async () => {
  cluster = await controlPlane.createCluster();
  await startService();
  const { results } = await connection.client.createTopics({ topics: [{ name: 'orders', partitions: 1 }] });
  topicId = results[0]?.topicId ?? new Uint8Array();
});

afterEach(endService);

/** An agent that sends the position from the last response. */
class Agent {
  position: string | undefined;

  async call<Answer>(
    work: (
      client: Client<typeof MetadataService>,
      options: { headers?: Record<string, string>; onHeader: (headers: Headers) => void },
    ) => Promise<Answer>,
  ): Promise<Answer> {
    return await work(connection.client, {
      ...(this.position === undefined ? {} : { headers: { [JOURNAL_POSITION_HEADER]: this.position } }),
      onHeader: (headers) => {
        this.position = headers.get(JOURNAL_POSITION_HEADER) ?? this.position;
      },
    });
  }

  /** Commits a file with one batch, and returns its id. */
  async commit(): Promise<Uint8Array> {
    const fileId = newFileId();
    const { errorCode } = await this.call((client, options) =>
      client.commitFile(
        {
          fileId,
          fileBytes: BigInt(BATCH_BYTES),
          topicIds: [topicId],
          runTopic: [0],
          runPartition: [0],
          runPosition: [0n],
          runBatches: [1],
          batchBytes: [BATCH_BYTES],
          batchRecords: [1],
          batchMaxTimestampMs: [BigInt(Date.now())],
          batchUncompressedBytes: [BigInt(BATCH_BYTES)],
        },
        options,
      ),
    );
    expect(errorCode).toBe(0);
    return fileId;
  }

  /** How each of these calls is refused. */
  async refusals(): Promise<{ code: Code; stopped: string | null; message: string }[]> {
    const calls = [
      this.call((client, options) => client.describeCluster({}, options)),
      this.call((client, options) => client.knownFiles({ fileIds: [newFileId()] }, options)),
      this.call((client, options) => client.takeDeletions({ agentId: 'agent', maxFiles: 10 }, options)),
      this.commit(),
      this.call(async (client, options) => {
        for await (const _ of client.watch({ agentId: 'agent' }, options)) {
          throw new Error('the stream was opened');
        }
      }),
    ];
    const outcomes = await Promise.allSettled(calls);
    return outcomes.map((outcome) => {
      if (outcome.status === 'fulfilled') {
        throw new Error('the call was answered');
      }
      const { code, metadata, rawMessage } = ConnectError.from(outcome.reason);
      return { code, stopped: metadata.get(CLUSTER_STOPPED_HEADER), message: rawMessage };
    });
  }
}

function newFileId(): Uint8Array {
  return Buffer.from(newId(Date.now()).replaceAll('-', ''), 'hex');
}

interface KeptEntry {
  seq: string;
  values: unknown[];
}

/** Simulates a failover to a replica that lagged by this many entries. Returns a function that restores them. */
async function loseEntries(count: number): Promise<() => Promise<void>> {
  const { rows } = await controlPlane.pool.query(
    `DELETE FROM metadata_journal WHERE cluster_id = $1
     AND seq > (SELECT max(seq) FROM metadata_journal WHERE cluster_id = $1) - $2
     RETURNING seq, organization_id, entry, hash, appended_at`,
    [cluster.clusterId, count],
  );
  const kept: KeptEntry[] = rows.map((row) => ({
    seq: row.seq,
    values: [row.seq, row.organization_id, row.entry, row.hash, row.appended_at],
  }));
  return async () => {
    await controlPlane.pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq >= $2', [
      cluster.clusterId,
      Math.min(...kept.map(({ seq }) => Number(seq))),
    ]);
    for (const { values } of kept) {
      await controlPlane.pool.query(
        'INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry, hash, appended_at) VALUES ($1, $2, $3, $4, $5, $6)',
        [cluster.clusterId, ...values],
      );
    }
  };
}

/** Number and hash of each entry. */
async function journalRows(): Promise<string[]> {
  const { rows } = await controlPlane.pool.query(
    'SELECT seq, hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq',
    [cluster.clusterId],
  );
  return rows.map((row) => `${row.seq} ${row.hash.toString('hex')}`);
}

function databases() {
  return { control: controlPlane.pool, journal: controlPlane.pool };
}

async function stopped() {
  const found = await inspectStopped(databases(), cluster.clusterId);
  if (found === undefined) {
    throw new Error('the cluster is not stopped');
  }
  return found;
}

/** Waits until the cluster is served: a process caches for two seconds that it is stopped. */
async function served(agent: Agent): Promise<void> {
  await expect
    .poll(
      () =>
        agent
          .call((client, options) => client.describeCluster({}, options))
          .then(
            () => 'served',
            (error: unknown) => ConnectError.from(error).code,
          ),
      { timeout: 30_000 },
    )
    .toBe('served');
}

// Nothing is served, changed or named for deletion.
test('an agent that outlived the failover stops the cluster', async () => {
  const agent = new Agent();
  for (let file = 0; file < 3; file += 1) {
    await agent.commit();
  }
  await restartService();
  await loseEntries(2);
  const refusals = await agent.refusals();
  for (const { code, stopped: header, message } of refusals) {
    expect({ code, header }).toEqual({ code: Code.Unavailable, header: '1' });
    expect(message).toContain(`${cluster.clusterId} is stopped`);
    // What an operator does is no business of customers' agents.
    expect(message).not.toMatch(/npm run|entry \d/);
  }
  const rows = await journalRows();
  // Another agent, which knows nothing of the loss, and another process.
  expect((await new Agent().refusals()).map(({ stopped: header }) => header)).toEqual(Array(5).fill('1'));
  await restartService();
  expect((await new Agent().refusals()).map(({ stopped: header }) => header)).toEqual(Array(5).fill('1'));
  expect(await journalRows()).toEqual(rows);
});

test('stopping a cluster ends its streams with a retryable code', async () => {
  const agent = new Agent();
  for (let file = 0; file < 3; file += 1) {
    await agent.commit();
  }
  await restartService();
  await loseEntries(2);
  const events = connection.client.watch({ agentId: 'idle' })[Symbol.asyncIterator]();
  expect((await events.next()).value.journalPosition).toMatch(/^0\.\d+-[0-9a-f]{64}$/);
  await agent.refusals();
  await expect(
    (async () => {
      for (;;) {
        if ((await events.next()).done === true) {
          return;
        }
      }
    })(),
  ).rejects.toMatchObject({ code: Code.Unavailable });
  expect(await stopped()).toMatchObject({ status: 'lost' });
});

// It spares what the lost entries named, and no witness stops it.
test('a cluster continues unharmed once its loss is accepted', async () => {
  const agent = new Agent();
  const [kept, lost] = [await agent.commit(), await agent.commit()];
  await restartService();
  await loseEntries(1);
  await agent.refusals();
  const position = agent.position;
  const found = await stopped();
  expect(found).toMatchObject({ status: 'lost', lostEntries: 1 });
  const spared = await acceptLostTail(databases(), found, 'Operator', Date.now());
  expect(spared?.untilMs).toBeGreaterThan(Date.now() + SPARED_FOR_MS - 60_000);
  await served(agent);
  expect(agent.position).not.toBe(position);
  expect(agent.position?.startsWith('1.')).toBe(true);
  const longAgo = Buffer.from(newId(Date.now() - 3 * 24 * 3_600_000).replaceAll('-', ''), 'hex');
  const { known } = await connection.client.knownFiles({ fileIds: [kept, lost, longAgo] });
  expect(known).toEqual([true, true, false]);
  await agent.commit();
  // An agent that was offline the whole time.
  const late = new Agent();
  late.position = position;
  await late.commit();
  const { rows } = await controlPlane.pool.query(
    'SELECT resolution, resolved_by FROM metadata_stop WHERE cluster_id = $1',
    [cluster.clusterId],
  );
  expect(rows).toEqual([{ resolution: 'accepted', resolved_by: 'Operator' }]);
});

test('a stop is lifted without loss once entries are restored', async () => {
  const agent = new Agent();
  for (let file = 0; file < 3; file += 1) {
    await agent.commit();
  }
  await restartService();
  const restore = await loseEntries(2);
  await agent.refusals();
  await expect(resumeRestored(controlPlane.pool, await stopped(), 'Operator')).rejects.toThrow(/does not hold/);
  await restore();
  expect(await resumeRestored(controlPlane.pool, await stopped(), 'Operator')).toBe(true);
  await served(agent);
  expect(agent.position?.startsWith('0.')).toBe(true);
  const { answers } = await connection.client.listOffsets({ queries: [{ topicId, partition: 0, timestampMs: -1n }] });
  expect(answers[0]?.offset).toBe(3n);
});

test('a lost snapshot stops no cluster whose loss was accepted', async () => {
  const agent = new Agent();
  for (let file = 0; file < 2; file += 1) {
    await agent.commit();
  }
  await restartService();
  await controlPlane.pool.query(
    `INSERT INTO metadata_snapshot (cluster_id, seq, part, parts, bytes, hash)
     SELECT cluster_id, seq, 0, 1, '\\x00', hash FROM metadata_journal WHERE cluster_id = $1 ORDER BY seq DESC LIMIT 1`,
    [cluster.clusterId],
  );
  await loseEntries(1);
  await agent.refusals();
  await acceptLostTail(databases(), await stopped(), 'Operator', Date.now());
  await served(agent);
  expect(await inspectStopped(databases(), cluster.clusterId)).toBeUndefined();
});

test('a clean restart or an agent ahead stops nothing', async () => {
  const agent = new Agent();
  await agent.commit();
  for (let restart = 0; restart < 2; restart += 1) {
    await restartService();
    await agent.commit();
  }
  expect(await inspectStopped(databases(), cluster.clusterId)).toBeUndefined();
});
