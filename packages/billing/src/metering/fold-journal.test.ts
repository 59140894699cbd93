import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { apply, type ClientChanges, type Command, createState, encodeEntry, meterOf } from '@penstock/metadata-core';
import { withFailPoints } from '@penstock/platform/fail-point';
import { HOUR_MS } from '@penstock/units';
import { afterEach, describe, expect, test } from 'vitest';
import { clustersToFold } from './clusters-to-fold.ts';
import { foldBounds, foldJournal, JournalGap } from './fold-journal.ts';
import { chainHash, genesisHash, sealOf } from './meter-block.ts';
import { type FoldPoint, foldPoints } from './testing/fold-points.ts';
import { entryOf, setUpJournals } from './testing/journal-fixture.ts';

const journals = setUpJournals();

// Also after a kill at any point, and with concurrent workers.
afterEach(async () => {
  expect(await journals.wrongTotals()).toEqual([]);
});
const start = Date.parse('2026-11-21T09:59:59.999Z');

async function foldAll(clusterId: string, bounds = foldBounds): Promise<void> {
  while (!(await foldJournal(journals.metering, journals.cells, clusterId, { bounds })).isCaughtUp) {}
}

function commitOfOneBatch(topicId: Uint8Array, file: number, nowMs: number, sequence: number): Command {
  const fileId = new Uint8Array(16);
  new DataView(fileId.buffer).setBigUint64(0, (BigInt(nowMs) << 16n) | 0x7000n);
  fileId[8] = 0x80;
  fileId[15] = file;
  return {
    kind: 'commit-file',
    fileId,
    fileBytes: 100,
    topicIds: [topicId],
    runTopic: Uint32Array.of(0),
    runPartition: Uint32Array.of(0),
    runPosition: Float64Array.of(0),
    runBatches: Uint32Array.of(1),
    batchBytes: Uint32Array.of(100),
    batchRecords: Uint32Array.of(10),
    batchMaxTimestampMs: Float64Array.of(nowMs),
    batchUncompressedBytes: Float64Array.of(1_000),
    producers: { id: Float64Array.of(7), epoch: Int32Array.of(0), baseSequence: Int32Array.of(sequence) },
  };
}

describe('the usage ledger', () => {
  test('counts usage in the hour of the entry’s server time', async () => {
    const clusterId = await journals.newCluster();
    await journals.append(clusterId, 1, entryOf(start, { files: 1, uncompressedBytes: 1, storedBytes: 2, records: 3 }));
    await journals.append(
      clusterId,
      2,
      entryOf(start + 1, { files: 1, uncompressedBytes: 10, storedBytes: 20, records: 30 }),
    );
    await journals.append(clusterId, 3, entryOf(start + HOUR_MS, { clusterMinutes: 1 }));
    await journals.append(clusterId, 4, entryOf(start + HOUR_MS, { clusterMinutes: 1, devMinutes: 1 }));
    await journals.append(clusterId, 5, entryOf(start + HOUR_MS, { clusterMinutes: 1, lowLatencyMinutes: 1 }));
    await foldAll(clusterId);
    expect(await journals.ledger(clusterId)).toEqual([
      {
        hour: new Date('2026-11-21T09:00:00Z'),
        uncompressed_bytes: '1',
        stored_bytes: '2',
        records: '3',
        files: '1',
        cluster_minutes: 0,
        dev_minutes: 0,
        low_latency_minutes: 0,
      },
      {
        hour: new Date('2026-11-21T10:00:00Z'),
        uncompressed_bytes: '10',
        stored_bytes: '20',
        records: '30',
        files: '1',
        cluster_minutes: 3,
        dev_minutes: 1,
        low_latency_minutes: 1,
      },
    ]);
    expect(await journals.checkpoint(clusterId)).toBe('5');
  });

  test('folding again adds nothing', async () => {
    const clusterId = await journals.newCluster();
    await journals.append(clusterId, 1, entryOf(start, { files: 1, uncompressedBytes: 5 }));
    await foldAll(clusterId);
    expect(await foldJournal(journals.metering, journals.cells, clusterId)).toEqual({
      foldedEntries: 0,
      isCaughtUp: true,
    });
    expect(await journals.ledger(clusterId)).toMatchObject([{ uncompressed_bytes: '5' }]);
  });

  test('refused and duplicate records are not billed', async () => {
    const clusterId = await journals.newCluster();
    const state = createState(clusterId);
    const topicId = new Uint8Array(16).fill(1);
    const commands: Command[] = [
      {
        kind: 'create-topics',
        validateOnly: false,
        topics: [{ name: 'orders', topicId, partitions: 1, configs: [] }],
      },
      commitOfOneBatch(topicId, 1, start, 0),
      // The same batch in another file, from a producer that missed the response.
      commitOfOneBatch(topicId, 2, start, 0),
      // Refused: a gap in the sequence.
      commitOfOneBatch(topicId, 3, start, 90),
      // Refused: the topic does not exist.
      commitOfOneBatch(new Uint8Array(16).fill(9), 4, start, 0),
      commitOfOneBatch(topicId, 5, start, 10),
    ];
    const outcomes = commands.map((command) => apply(state, command, start));
    const accepted = commands.filter((_command, index) => outcomes[index]?.changed);
    const meter = meterOf(outcomes.map((outcome) => outcome.effects));
    await journals.append(clusterId, 1, encodeEntry({ nowMs: start, commands: accepted, meter }));
    await foldAll(clusterId);
    expect(await journals.ledger(clusterId)).toMatchObject([
      { uncompressed_bytes: '2000', stored_bytes: '200', records: '20', files: '2' },
    ]);
  });

  // The month waits for later entries.
  test('counts each entry in its own hour after a clock ran ahead', async () => {
    const clusterId = await journals.newCluster();
    const times = [start, start + 24 * HOUR_MS, start + 1, start + 60_000];
    await journals.appendAll(
      clusterId,
      times.map((atMs) => entryOf(atMs, { files: 1, uncompressedBytes: 10, clusterMinutes: 1 })),
    );
    await foldAll(clusterId, { ...foldBounds, entries: 2 });
    const rows = await journals.ledger(clusterId);
    expect(rows.map((row) => [row.hour.getTime(), row.uncompressed_bytes, row.cluster_minutes])).toEqual([
      [Date.parse('2026-11-21T09:00:00Z'), '10', 1],
      [Date.parse('2026-11-21T10:00:00Z'), '20', 2],
      [Date.parse('2026-11-22T09:00:00Z'), '10', 1],
    ]);
    const { rows: checkpoints } = await journals.pool.query<{ entry_at: Date }>(
      'SELECT entry_at FROM metering_checkpoint WHERE cluster_id = $1',
      [clusterId],
    );
    expect(checkpoints[0]?.entry_at.getTime()).toBe(start + 60_000);
  });

  test('folds a journal of large entries in bounded sections', async () => {
    const clusterId = await journals.newCluster();
    // Five entries of 20 MB, each one command with a long name: more than one fold may load.
    const padding = 'x'.repeat(20 * 1024 * 1024);
    const command: Command = { kind: 'delete-groups', groupIds: [padding] };
    const meter = { ...meterOf([]), files: 1, storedBytes: 1, uncompressedBytes: 3, records: 1 };
    const entry = encodeEntry({ nowMs: start, commands: [command], meter });
    for (let seq = 1; seq <= 5; seq += 1) {
      await journals.append(clusterId, seq, entry);
    }
    expect((await foldJournal(journals.metering, journals.cells, clusterId)).foldedEntries).toBe(1);
    await foldAll(clusterId);
    expect(await journals.ledger(clusterId)).toMatchObject([{ uncompressed_bytes: '15', files: '5' }]);
  });

  test('a missing entry stops the fold before it, with an error', async () => {
    const clusterId = await journals.newCluster();
    await journals.append(clusterId, 1, entryOf(start, { files: 1, uncompressedBytes: 1 }));
    await foldAll(clusterId);
    await journals.append(clusterId, 3, entryOf(start, { files: 1, uncompressedBytes: 1 }));
    await expect(foldJournal(journals.metering, journals.cells, clusterId)).rejects.toThrow(JournalGap);
    expect(await journals.checkpoint(clusterId)).toBe('1');
  });

  test('a damaged entry stops the fold and bills none of its section', async () => {
    const clusterId = await journals.newCluster();
    const entry = entryOf(start, { files: 1, uncompressedBytes: 1 });
    await journals.append(clusterId, 1, entry);
    await journals.append(
      clusterId,
      2,
      entry.map((byte, index) => (index === 3 ? byte ^ 1 : byte)),
    );
    await expect(foldJournal(journals.metering, journals.cells, clusterId)).rejects.toThrow(/checksum/);
    expect(await journals.ledger(clusterId)).toEqual([]);
  });

  test('lists exactly the clusters with new entries', async () => {
    const [quiet, busy] = [await journals.newCluster(), await journals.newCluster()];
    for (const clusterId of [quiet, busy]) {
      await journals.append(clusterId, 1, entryOf(start, {}));
    }
    await foldAll(quiet);
    const { clusterIds: named } = await clustersToFold(journals.pool, journals.cells);
    expect([named.includes(quiet), named.includes(busy)]).toEqual([false, true]);
  });
});

describe('meter blocks', () => {
  interface BlockRow {
    first_seq: string;
    last_seq: string;
    hash: Buffer;
    previous_hash: Buffer;
    seal: Buffer;
    bytes_per_minute: Record<string, number>;
    alive_minutes: Record<string, Record<string, number>>;
  }

  test('seal every entry and figure across sections and blocks', async () => {
    const clusterId = await journals.newCluster();
    const minutes = 150;
    let hash: Uint8Array = genesisHash;
    for (let seq = 1; seq <= minutes; seq += 1) {
      const entry = entryOf(start + seq * 60_000, { files: 1, uncompressedBytes: seq });
      hash = chainHash(hash, BigInt(seq), entry);
      await journals.append(clusterId, seq, entry);
      if (seq % 40 === 0) {
        await foldAll(clusterId);
      }
    }
    await foldAll(clusterId);
    const { rows } = await journals.pool.query<BlockRow>(
      'SELECT * FROM metadata_meter_block WHERE cluster_id = $1 ORDER BY first_seq',
      [clusterId],
    );

    expect(rows.map((row) => [row.first_seq, row.last_seq])).toEqual([
      ['1', '60'],
      ['61', '120'],
      ['121', '150'],
    ]);
    expect(rows.map((row) => row.previous_hash)).toEqual([Buffer.from(genesisHash), rows[0]?.hash, rows[1]?.hash]);
    expect(rows.at(-1)?.hash).toEqual(Buffer.from(hash));
    const billed = rows.flatMap((row) => Object.values(row.bytes_per_minute)).reduce((sum, bytes) => sum + bytes, 0);
    expect(billed).toBe((minutes * (minutes + 1)) / 2);
    let seal: Uint8Array = genesisHash;
    for (const row of rows) {
      const block = {
        firstSeq: BigInt(row.first_seq),
        lastSeq: BigInt(row.last_seq),
        bytesPerMinute: row.bytes_per_minute,
        aliveMinutes: row.alive_minutes,
        hash: row.hash,
        previousHash: row.previous_hash,
      };
      seal = sealOf(block, seal);
      expect(row.seal).toEqual(seal);
    }
  });

  // Even if nothing is written.
  test('keep each cluster-minute’s mode and end after an hour', async () => {
    const clusterId = await journals.newCluster();
    const modes = [
      { clusterMinutes: 1 },
      { clusterMinutes: 1, devMinutes: 1 },
      { clusterMinutes: 1, lowLatencyMinutes: 1 },
    ];
    const entries = Array.from({ length: 90 }, (_, minute) =>
      entryOf(start + minute * 60_000, modes[minute % 3] ?? {}),
    );
    await journals.appendAll(clusterId, entries);
    await foldAll(clusterId);
    const { rows } = await journals.pool.query<BlockRow>(
      'SELECT * FROM metadata_meter_block WHERE cluster_id = $1 ORDER BY first_seq',
      [clusterId],
    );
    expect(rows.map((row) => Object.keys(row.alive_minutes).length)).toEqual([60, 30]);
    const firstMinute = Math.floor(start / 60_000);
    const kept = Object.entries({ ...rows[0]?.alive_minutes, ...rows[1]?.alive_minutes });
    expect(kept.map(([minute, counts]) => [Number(minute) - firstMinute, counts])).toEqual(
      entries.map((_, minute) => [minute, { [['standard', 'dev', 'low-latency'][minute % 3] ?? '']: 1 }]),
    );
  });

  test('older than minutes and seals stay unchanged', async () => {
    const clusterId = await journals.newCluster();
    const entries = [1, 2].map((seq) => entryOf(start, { files: 1, uncompressedBytes: seq }));
    await journals.append(clusterId, 1, entries[0] ?? new Uint8Array());
    await foldAll(clusterId);
    await journals.pool.query(
      'UPDATE metadata_meter_block SET alive_minutes = NULL, seal = NULL WHERE cluster_id = $1',
      [clusterId],
    );
    const before = await journals.foldedRows(clusterId);
    await journals.append(clusterId, 2, entries[1] ?? new Uint8Array());
    await foldAll(clusterId);
    const { blocks } = await journals.foldedRows(clusterId);
    expect(blocks).toMatchObject([before.blocks[0], { first_seq: '2', last_seq: '2', seal: expect.any(Buffer) }]);
  });
});

describe('a change by a Kafka client', () => {
  const client = {
    principal: 'User:alice',
    clientId: 'admin-1',
    address: '192.0.2.7',
    agentId: 'agent-1',
    agentKeyId: '0198f0c4-7c00-7000-8000-000000000001',
  };

  function entryWith(changes: ClientChanges[], uncompressedBytes = 1): Uint8Array {
    const meter = { ...meterOf([]), files: 1, storedBytes: 1, uncompressedBytes, records: 1 };
    return encodeEntry({ nowMs: start, commands: [], meter, changes });
  }

  interface AuditRow {
    actor_type: string;
    actor_id: string | null;
    actor_label: string;
    source: string;
    action: string;
    target_id: string;
    before: unknown;
    after: unknown;
    at: Date;
  }

  async function auditOf(clusterId: string): Promise<AuditRow[]> {
    const { rows } = await journals.pool.query<AuditRow>(
      `SELECT actor_type, actor_id, actor_label, source, action, target_id, before, after, at FROM audit_log
       WHERE target_id LIKE $1 || '%' ORDER BY seq`,
      [clusterId],
    );
    return rows;
  }

  test('is audited with its principal in journal order', async () => {
    const clusterId = await journals.newCluster();
    const acl = { resourceType: 2, patternType: 4, principal: 'User:bob', host: '*', operation: 3, permissionType: 3 };
    await journals.append(
      clusterId,
      1,
      entryWith(
        [
          { client, changes: [{ kind: 'topic-created', name: 'orders', partitions: 6, configs: [] }] },
          {
            client: { ...client, principal: 'User:bob' },
            changes: [{ kind: 'acls-created', acls: [{ ...acl, resourceName: 'orders-' }] }],
          },
        ],
        5,
      ),
    );
    await journals.append(
      clusterId,
      2,
      entryWith([{ client, changes: [{ kind: 'topic-deleted', name: 'orders', partitions: 6 }] }], 7),
    );
    await foldAll(clusterId);
    const origin = { kafkaClientId: 'admin-1', clientAddress: '192.0.2.7', agentId: 'agent-1' };
    const alice = { actor_type: 'kafka-client', actor_id: 'User:alice', actor_label: 'User:alice', source: 'kafka' };
    expect(await auditOf(clusterId)).toMatchObject([
      {
        ...alice,
        action: 'topic.create',
        target_id: `${clusterId}/orders`,
        before: null,
        after: { clusterId, name: 'orders', partitions: 6, ...origin, agentKeyId: client.agentKeyId },
        at: new Date(start),
      },
      {
        actor_id: 'User:bob',
        action: 'acl.create',
        target_id: clusterId,
        after: { acls: ['ALLOW User:bob from * to READ TOPIC PREFIXED:orders-'], ...origin },
      },
      { ...alice, action: 'topic.delete', before: { clusterId, name: 'orders', partitions: 6 }, after: origin },
    ]);
    expect(await journals.ledger(clusterId)).toMatchObject([{ uncompressed_bytes: '12', files: '2' }]);
  });

  test('to groups, subscriptions or transactions is audited in full', async () => {
    const clusterId = await journals.newCluster();
    await journals.append(
      clusterId,
      1,
      entryWith([
        {
          client,
          changes: [
            {
              kind: 'group-configs-altered',
              groupId: 'readers',
              ops: [
                { name: 'consumer.heartbeat.interval.ms', value: '6000' },
                { name: 'consumer.session.timeout.ms', value: null },
              ],
            },
            {
              kind: 'client-metrics-altered',
              name: 'java',
              ops: [
                { kind: 'append', name: 'metrics', value: 'org.apache.kafka.consumer.' },
                { kind: 'delete', name: 'match', value: '' },
              ],
            },
            { kind: 'transaction-aborted', transactionalId: 'orders-1' },
          ],
        },
      ]),
    );
    await foldAll(clusterId);
    const session = { 'consumer.heartbeat.interval.ms': '6000', 'consumer.session.timeout.ms': 'default' };
    expect(await auditOf(clusterId)).toMatchObject([
      {
        action: 'group.alter-configs',
        target_id: `${clusterId}/readers`,
        after: { clusterId, groupId: 'readers', ...session, kafkaClientId: 'admin-1' },
      },
      {
        action: 'client-metrics.alter-configs',
        target_id: `${clusterId}/java`,
        after: { clusterId, name: 'java', metrics: 'with org.apache.kafka.consumer.', match: 'default' },
      },
      {
        action: 'transaction.abort',
        target_id: `${clusterId}/orders-1`,
        after: { clusterId, transactionalId: 'orders-1', agentKeyId: client.agentKeyId },
      },
    ]);
  });

  test('is audited exactly once, wherever the fold stops', async () => {
    const clusterId = await journals.newCluster();
    const entries = Array.from({ length: 3 }, (_, index) =>
      entryWith([{ client, changes: [{ kind: 'group-deleted', groupId: `readers-${index}` }] }]),
    );
    await journals.appendAll(clusterId, entries);
    const bounds = { ...foldBounds, entries: 1 };
    for (const point of foldPoints) {
      const stopThere = async (reached: string): Promise<void> => {
        if (reached === point) {
          throw new Error('stopped');
        }
      };
      const fold = () => foldJournal(journals.metering, journals.cells, clusterId, { bounds });
      await withFailPoints(stopThere, fold).catch(() => undefined);
    }
    await foldAll(clusterId);
    expect((await auditOf(clusterId)).map((row) => row.target_id)).toEqual(
      [0, 1, 2].map((index) => `${clusterId}/readers-${index}`),
    );
  });

  test('never stops the fold, whatever its names contain', async () => {
    const clusterId = await journals.newCluster();
    const odd = { ...client, principal: '', clientId: 'a\0b' };
    const groupId = `${'\u{1F600}'.repeat(511)}\0`;
    await journals.append(clusterId, 1, entryWith([{ client: odd, changes: [{ kind: 'group-deleted', groupId }] }]));
    await foldAll(clusterId);
    const [row] = await auditOf(clusterId);
    expect(row).toMatchObject({
      actor_id: null,
      actor_label: 'A Kafka client',
      after: { kafkaClientId: 'a\uFFFDb' },
    });
    expect(row?.target_id).toHaveLength(500);
  });

  test('is added but never read by metering jobs', async () => {
    await expect(journals.metering.query('SELECT FROM audit_log')).rejects.toThrow('permission denied');
  });
});

describe('replay, crashes and races', () => {
  const foldToPoint = fileURLToPath(new URL('testing/fold-to-point.ts', import.meta.url));
  const node = fileURLToPath(new URL('../../../../node_modules/node/bin/node', import.meta.url));
  const entriesPerStretch = 100;
  const bounds = { ...foldBounds, entries: entriesPerStretch };

  /** A cluster with a journal of three sections over some hours, in all modes. */
  async function newJournal(): Promise<{ clusterId: string; entries: number; uncompressedBytes: bigint }> {
    const clusterId = await journals.newCluster();
    const entries = entriesPerStretch * 2 + 50;
    const meters = Array.from({ length: entries }, (_, index) => {
      const minute = index % 2 === 0 ? { clusterMinutes: 1 } : {};
      const mode = index % 6 === 0 ? { devMinutes: 1 } : index % 10 === 0 ? { lowLatencyMinutes: 1 } : {};
      return {
        files: 1,
        storedBytes: index,
        uncompressedBytes: (index + 1) * 7919,
        records: index + 1,
        ...minute,
        ...mode,
      };
    });
    await journals.appendAll(
      clusterId,
      meters.map((meter, index) => entryOf(start + index * 30_000, meter)),
    );
    const uncompressedBytes = meters.reduce((sum, meter) => sum + BigInt(meter.uncompressedBytes), 0n);
    return { clusterId, entries, uncompressedBytes };
  }

  /** Starts a fold in its own process and kills it at the fail point. */
  async function killAt(clusterId: string, point: FoldPoint, passes: number): Promise<void> {
    const args = [foldToPoint, journals.databaseUrl, clusterId, point, String(passes), String(entriesPerStretch)];
    const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    expect(output.toString()).toBe('at the fail point\n');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  test('bills every byte once although killed at every fail point', async () => {
    const { clusterId, entries, uncompressedBytes } = await newJournal();
    for (const point of foldPoints) {
      await killAt(clusterId, point, 0);
    }
    await killAt(clusterId, 'fold: hours-written', 1);
    await foldAll(clusterId, bounds);

    const ledger = await journals.ledger(clusterId);
    const sum = (pick: (row: (typeof ledger)[number]) => string | number) =>
      ledger.reduce((total, row) => total + BigInt(pick(row)), 0n);
    expect(sum((row) => row.uncompressed_bytes)).toBe(uncompressedBytes);
    expect(sum((row) => row.files)).toBe(BigInt(entries));
    expect(sum((row) => row.records)).toBe(BigInt((entries * (entries + 1)) / 2));
    expect(sum((row) => row.cluster_minutes)).toBe(BigInt(entries / 2));
    expect(await journals.checkpoint(clusterId)).toBe(String(entries));

    const rows = await journals.foldedRows(clusterId);
    await journals.unfold(clusterId);
    await foldAll(clusterId);
    expect(await journals.foldedRows(clusterId)).toEqual(rows);
  });

  test('folded in sections of any size gives the same rows', async () => {
    const { clusterId, entries } = await newJournal();
    await foldAll(clusterId);
    const rows = await journals.foldedRows(clusterId);
    expect(rows.hours.length).toBeGreaterThan(2);
    expect(rows.blocks.length).toBeGreaterThan(2);
    for (const size of [1, 2, 3, 7, 59, 60, 61, 100, entries - 1, entries]) {
      await journals.unfold(clusterId);
      await foldAll(clusterId, { ...foldBounds, entries: size });
      expect(await journals.foldedRows(clusterId), `stretches of ${size}`).toEqual(rows);
    }
  });

  test('passes every fail point that these tests stop at', async () => {
    const { clusterId } = await newJournal();
    const passed: string[] = [];
    await withFailPoints(
      async (point) => void passed.push(point),
      () => foldJournal(journals.metering, journals.cells, clusterId, { bounds }),
    );
    expect(passed).toEqual(foldPoints);
  });

  test('resumed at every fail point gives the same rows', async () => {
    const { clusterId } = await newJournal();
    await foldAll(clusterId);
    const rows = await journals.foldedRows(clusterId);
    await journals.unfold(clusterId);
    let stops = 0;
    for (let isDone = false; !isDone; ) {
      for (const point of foldPoints) {
        const stopThere = async (reached: string): Promise<void> => {
          if (reached !== point) {
            return;
          }
          stops += 1;
          throw new Error('stopped');
        };
        const fold = () => foldJournal(journals.metering, journals.cells, clusterId, { bounds });
        const folded = await withFailPoints(stopThere, fold).catch(() => undefined);
        isDone ||= folded?.isCaughtUp ?? false;
      }
    }
    expect(stops).toBeGreaterThanOrEqual(3 * foldPoints.length);
    expect(await journals.foldedRows(clusterId)).toEqual(rows);
  });

  test('two workers fold a cluster one after the other', async () => {
    const clusterId = await journals.newCluster();
    const entries = entriesPerStretch * 3;
    const entry = entryOf(start, { files: 1, uncompressedBytes: 1 });
    await journals.appendAll(clusterId, Array<Uint8Array>(entries).fill(entry));
    await Promise.all([1, 2, 3].map(() => foldAll(clusterId, bounds)));
    expect(await journals.ledger(clusterId)).toMatchObject([
      { files: String(entries), uncompressed_bytes: String(entries) },
    ]);
  });
});
