import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { foldBounds, foldJournal } from '../metering/fold-journal.ts';
import { entryOf, setUpJournals } from '../metering/testing/journal-fixture.ts';
import { type RecomputedBill, recomputeBill } from './recompute-bill.ts';
import {
  ENTRIES,
  ENTRY_INTERVAL_MS,
  foldedClusters,
  MONTH,
  start,
  type TestCluster,
} from './testing/folded-clusters.ts';

const journals = setUpJournals();
const { newCluster, cut, change } = foldedClusters(journals);

async function recompute(organization: string): Promise<RecomputedBill> {
  const client = new Client({ connectionString: journals.databaseUrl });
  await client.connect();
  try {
    return await recomputeBill(client, { organization, month: MONTH });
  } finally {
    await client.end();
  }
}

function damagesOf(bill: RecomputedBill): string[] {
  return bill.clusters.flatMap(({ damages }) => damages);
}

function billed(bill: RecomputedBill): unknown[] {
  return bill.lines.map(({ product, mode, tier, quantity, amountUsd }) => [
    product,
    mode,
    tier,
    quantity,
    amountUsd.toFixed(2),
  ]);
}

/**
 * The entries from midnight on: 280 GiB plus what the numbers add, $0.008 each; 280 minutes, a quarter of them
 * low-latency.
 */
const novemberEntries = Array.from({ length: ENTRIES - 120 }, (_, index) => index + 120);
const novemberBytes = novemberEntries.reduce((sum, index) => sum + 2n ** 30n + BigInt(index), 0n);
const expectedLines = [
  ['writes', null, 1, novemberBytes, '2.24'],
  ['cluster_minutes', 'low-latency', null, 70n, '0.48'],
  ['cluster_minutes', 'standard', null, 210n, '0.48'],
];

describe('a recomputed bill', () => {
  test('has the same hours and cents as the ledger', async () => {
    const { organizationId } = await newCluster();
    const bill = await recompute(organizationId);
    expect(bill).toMatchObject({ isEqual: true, hours: 5, hourDifferences: [], invoiceNumber: null });
    expect(bill.clusters).toMatchObject([
      { name: 'events', replayedEntries: ENTRIES, entriesInBlocksAlone: 0, damages: [] },
    ]);
    expect(billed(bill)).toEqual(expectedLines);
    expect(bill.usageUsd.toFixed(2)).toBe('3.20');
  });

  test.each([1, 60, 100, 250, 399, 400])(
    'uses sealed blocks if the journal is cut through entry %i',
    async (through) => {
      const { organizationId, clusterId } = await newCluster();
      await cut(clusterId, through);
      const bill = await recompute(organizationId);
      expect(damagesOf(bill)).toEqual([]);
      expect(bill.hourDifferences).toEqual([]);
      expect(bill.isEqual).toBe(true);
      expect(billed(bill)).toEqual(expectedLines);
      expect(bill.clusters[0]?.entriesInBlocksAlone).toBeGreaterThanOrEqual(through);
    },
  );

  test('leaves out held and waived hours but not released ones', async () => {
    const { organizationId, clusterId } = await newCluster();
    const hold = (status: string, hour: string) =>
      journals.pool.query(
        `INSERT INTO usage_hold (cluster_id, hour, organization_id, kind, finding, status, found_at, reviewed_at)
         VALUES ($1, $2, $3, 'ratio', 'x', $4, now(), CASE WHEN $4 <> 'held' THEN now() END)`,
        [clusterId, hour, organizationId, status],
      );
    await hold('held', '2026-11-01T00:00:00Z');
    await hold('waived', '2026-11-01T01:00:00Z');
    await hold('released', '2026-11-01T02:00:00Z');
    const bill = await recompute(organizationId);
    const kept = novemberEntries.slice(120);
    const bytes = kept.reduce((sum, index) => sum + 2n ** 30n + BigInt(index), 0n);
    expect(bill).toMatchObject({ isEqual: true, hourDifferences: [] });
    expect(billed(bill)).toEqual([['writes', null, 1, bytes, '1.28'], ...expectedLines.slice(1)]);
  });

  test('is the same for a purged cluster without a journal', async () => {
    const { organizationId, clusterId } = await newCluster();
    for (const table of ['metadata_journal', 'virtual_cluster']) {
      await journals.pool.query(
        `DELETE FROM ${table} WHERE ${table === 'virtual_cluster' ? 'id' : 'cluster_id'} = $1`,
        [clusterId],
      );
    }
    const bill = await recompute(organizationId);
    expect(bill.isEqual).toBe(true);
    expect(billed(bill)).toEqual(expectedLines);
  });

  test('lists unfolded entries without billing them', async () => {
    const { organizationId, clusterId } = await newCluster({ isFolded: false });
    await foldJournal(journals.metering, journals.cells, clusterId, { bounds: { ...foldBounds, entries: 200 } });
    const bill = await recompute(organizationId);
    expect(bill).toMatchObject({ isEqual: true, clusters: [{ replayedEntries: 200, waitingEntries: 200 }] });
  });
});

describe('detects tampering with', () => {
  test('a byte of a journal entry', async () => {
    const cluster = await newCluster();
    await change(
      'UPDATE metadata_journal SET entry = set_byte(entry, 4, get_byte(entry, 4) # 1) WHERE cluster_id = $1 AND seq = 150',
      cluster,
    );
    const bill = await recompute(cluster.organizationId);
    expect(bill.isEqual).toBe(false);
    expect(damagesOf(bill)).toEqual(['entry 150 cannot be read: journal entry: the checksum is wrong']);
    expect(bill.hourDifferences.map(({ figure }) => figure)).toContain('uncompressedBytes');
  });

  test('an entry replaced by a well-formed one that bills the same', async () => {
    const cluster = await newCluster();
    const forged = entryOf(start + 149 * ENTRY_INTERVAL_MS + 1, {
      files: 1,
      storedBytes: 1_149,
      uncompressedBytes: 2 ** 30 + 149,
      records: 150,
      clusterMinutes: 1,
    });
    await journals.pool.query('UPDATE metadata_journal SET entry = $2 WHERE cluster_id = $1 AND seq = 150', [
      cluster.clusterId,
      Buffer.from(forged),
    ]);
    const bill = await recompute(cluster.organizationId);
    expect(bill.hourDifferences).toEqual([]);
    expect(damagesOf(bill)).toEqual(['entries 121 to 180 are not what was folded: the hash of their block is another']);
    expect(bill.isEqual).toBe(false);
  });

  test.each([
    [150, 150, 'entry 150 is missing from the journal'],
    [150, 152, 'entries 150 to 152 are missing from the journal'],
    [400, 400, 'entry 400 is missing from the journal'],
    [1, 20, 'entries 1 to 20 are missing from the journal, which was never cut there'],
  ])('missing entries %i to %i', async (first, last, damage) => {
    const cluster = await newCluster();
    await change(`DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq BETWEEN ${first} AND ${last}`, cluster);
    const bill = await recompute(cluster.organizationId);
    expect(damagesOf(bill)).toEqual([damage]);
    expect(bill.isEqual).toBe(false);
  });

  test.each([
    ['uncompressed_bytes = uncompressed_bytes + 1', 'uncompressedBytes'],
    ['cluster_minutes = cluster_minutes - 1', 'clusterMinutes'],
    ['low_latency_minutes = low_latency_minutes + 1', 'lowLatencyMinutes'],
    ['records = records + 1', 'records'],
    ['last_seq = last_seq + 1', 'lastSeq'],
  ])('an hour of the ledger: %s', async (edit, figure) => {
    const cluster = await newCluster();
    await change(`UPDATE usage_hour SET ${edit} WHERE cluster_id = $1 AND hour = '2026-11-01T02:00Z'`, cluster);
    const bill = await recompute(cluster.organizationId);
    expect(bill.isEqual).toBe(false);
    expect(damagesOf(bill)).toEqual([]);
    expect(bill.hourDifferences).toMatchObject([
      { clusterId: cluster.clusterId, hourMs: Date.parse('2026-11-01T02:00Z'), figure },
    ]);
  });

  test('an hour removed from the ledger, and one added to it', async () => {
    const cluster = await newCluster();
    await change(
      `UPDATE usage_hour SET hour = '2026-11-20T00:00Z' WHERE cluster_id = $1 AND hour = '2026-11-01T02:00Z'`,
      cluster,
    );
    const bill = await recompute(cluster.organizationId);
    expect(bill.hourDifferences).toMatchObject([
      { hourMs: Date.parse('2026-11-01T02:00Z'), ledger: null },
      { hourMs: Date.parse('2026-11-20T00:00Z'), recomputed: null },
    ]);
  });

  test.each([
    [
      `bytes_per_minute = jsonb_set(bytes_per_minute, ARRAY[(SELECT min(k) FROM jsonb_object_keys(bytes_per_minute) k)], '7')`,
    ],
    ['alive_minutes = alive_minutes - (SELECT min(k) FROM jsonb_object_keys(alive_minutes) k)'],
  ])('a meter block whose entries are gone: %s', async (edit) => {
    const cluster = await newCluster();
    await cut(cluster.clusterId, 300);
    await change(`UPDATE metadata_meter_block SET ${edit} WHERE cluster_id = $1 AND first_seq = 181`, cluster);
    const bill = await recompute(cluster.organizationId);
    expect(bill.isEqual).toBe(false);
    expect(damagesOf(bill)).toEqual([
      'the meter block of entries 181 to 240 does not say what it was sealed with, or the block before it was changed',
    ]);
  });

  test('a removed meter block', async () => {
    const cluster = await newCluster();
    await cut(cluster.clusterId, 300);
    await change('DELETE FROM metadata_meter_block WHERE cluster_id = $1 AND first_seq = 181', cluster);
    expect(damagesOf(await recompute(cluster.organizationId))).toContain(
      'entries 181 to 240 are without a meter block',
    );
  });

  /** An invoice of zero, sealed with the current log or with another one. */
  async function sealedInvoice({ organizationId, clusterId }: TestCluster, hash?: string): Promise<string> {
    const id = randomUUID();
    await journals.pool.query(
      `INSERT INTO invoice (id, organization_id, number, kind, period_start, period_end, subtotal_usd, credit_usd, total_usd, billed_to,
         collection, status, finalized_at, due_at, meter_heads)
       SELECT $1, $2, $2, 'invoice', '2026-11-01', '2026-12-01', 0, 0, 0, '{}', 'transfer', 'paid', now(), now(),
         jsonb_build_array(jsonb_build_object('clusterId', $3::text, 'seq', last_seq::text, 'hash', coalesce($4, encode(hash, 'hex'))))
       FROM metadata_meter_block WHERE cluster_id = $3::uuid ORDER BY first_seq DESC LIMIT 1`,
      [id, organizationId, clusterId, hash ?? null],
    );
    await journals.pool.query('UPDATE invoice SET seal = invoice_seal(id) WHERE id = $1', [id]);
    return id;
  }

  test('a consistent log that the invoice was not sealed with', async () => {
    const honest = await newCluster();
    await sealedInvoice(honest);
    expect(damagesOf(await recompute(honest.organizationId))).toEqual([]);
    const rewritten = await newCluster();
    await sealedInvoice(rewritten, 'ab'.repeat(32));
    expect(damagesOf(await recompute(rewritten.organizationId))).toEqual([
      `up to entry ${ENTRIES} the log is not the one that the invoice was sealed with`,
    ]);
  });

  test('an invoice changed in spite of the database’s protection', async () => {
    const cluster = await newCluster();
    const id = await sealedInvoice(cluster);
    const changed = ['total_usd = 0, subtotal_usd = 1, credit_usd = -1', 'seal = NULL'];
    for (const what of changed) {
      await expect(journals.pool.query(`UPDATE invoice SET ${what} WHERE id = $1`, [id])).rejects.toThrow('is final');
    }
    await journals.pool.query('UPDATE invoice SET status = $2, paid_at = now() WHERE id = $1', [id, 'open']);
    expect((await recompute(cluster.organizationId)).isSealBroken).toBe(false);
    await journals.pool.query('ALTER TABLE invoice DISABLE TRIGGER invoice_is_final');
    await journals.pool.query(`UPDATE invoice SET billed_to = '{"name": "Another"}' WHERE id = $1`, [id]);
    await journals.pool.query('ALTER TABLE invoice ENABLE TRIGGER invoice_is_final');
    expect(await recompute(cluster.organizationId)).toMatchObject({ isSealBroken: true, isEqual: false });
  });

  test('a line of the invoice, and a line missing from it', async () => {
    const { organizationId, clusterId } = await newCluster();
    const invoiceId = randomUUID();
    await journals.pool.query(
      `INSERT INTO invoice (id, organization_id, number, kind, period_start, period_end, subtotal_usd, credit_usd, total_usd, billed_to,
         collection, status, finalized_at, due_at)
       VALUES ($1, $2, $2, 'invoice', '2026-11-01', '2026-12-01', 2.73, 0, 2.73, '{}', 'transfer', 'open', now(), now())`,
      [invoiceId, organizationId],
    );
    const line = `INSERT INTO invoice_line (invoice_id, position, product, cluster_id, mode, tier, description, quantity, unit,
        unit_price_usd, amount_usd, price_book_id) VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, 1, $9, '2026-11-01')`;
    await journals.pool.query(line, [invoiceId, 1, 'writes', clusterId, null, 1, String(novemberBytes), 'GiB', '2.25']);
    await journals.pool.query(line, [
      invoiceId,
      2,
      'cluster_minutes',
      clusterId,
      'standard',
      null,
      '210',
      'minute',
      '0.48',
    ]);
    const bill = await recompute(organizationId);
    expect(bill.isEqual).toBe(false);
    expect(bill.hourDifferences).toEqual([]);
    expect(bill.lineDifferences).toEqual([
      {
        clusterId,
        line: 'writes tier 1 of price book 2026-11-01',
        invoiced: `${novemberBytes} at $2.25`,
        recomputed: `${novemberBytes} at $2.24`,
      },
      {
        clusterId,
        line: 'cluster_minutes low-latency of price book 2026-11-01',
        invoiced: null,
        recomputed: '70 at $0.48',
      },
    ]);
  });
});
