import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { JOURNAL_START, type JournalPosition, PostgresJournal, PostgresStops } from '@penstock/metadata-journal';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let database: TestDatabase;
let pool: Pool;
let clusterId: string;
let lost: JournalPosition;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 2 });
  await pool.query("INSERT INTO organization (id, name, slug, created_at) VALUES ('org', 'Org', 'org', now())");
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

beforeEach(stopAnother);

/** A cluster that was stopped because the second of its two entries was lost. */
async function stopAnother(): Promise<void> {
  clusterId = randomUUID();
  await pool.query(
    "INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'org', $2, 'aws', 'eu', now())",
    [clusterId, clusterId],
  );
  const journal = new PostgresJournal(pool);
  const cluster = { clusterId, organizationId: 'org' };
  const first = await journal.append(cluster, JOURNAL_START, Buffer.from('one'));
  lost = await journal.append(cluster, first, Buffer.from('two'));
  await pool.query('DELETE FROM metadata_journal WHERE cluster_id = $1 AND seq = 2', [clusterId]);
  const loss = { witness: 'an agent with key k', witnessed: { history: 0, ...lost }, last: first };
  await new PostgresStops(pool).stop(clusterId, loss);
}

/** Runs a command as an operator does, without a terminal. */
async function metadata(...args: string[]): Promise<{ ended: number; output: string }> {
  const script = fileURLToPath(new URL('main.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: database.ownerUrl };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, 'metadata', ...args], {
      env,
    });
    return { ended: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { ended: code, output: stdout + stderr };
  }
}

function resume(...flags: string[]): Promise<{ ended: number; output: string }> {
  return metadata('resume', ...flags);
}

async function isStopped(id = clusterId): Promise<boolean> {
  return (await new PostgresStops(pool).past(id)).stop !== undefined;
}

/** Clusters of the tests before must not be in lists. */
async function resumeOthers(): Promise<void> {
  await pool.query(
    "UPDATE metadata_stop SET resolved_at = now(), resolution = 'accepted' WHERE cluster_id <> $1 AND resolved_at IS NULL",
    [clusterId],
  );
}

test('lists losses and options without changing anything', async () => {
  const { ended, output } = await resume('--cluster', clusterId);
  expect(ended).toBe(1);
  expect(output).toContain('entry 2 (');
  expect(output).toContain('known to an agent with key k');
  expect(output).toContain('ends at entry 1');
  expect(output).toContain('at least 1 entry');
  expect(output).toContain('--accept-lost-tail');
  expect(await isStopped()).toBe(true);
});

test('entries are given up only after confirmation', async () => {
  expect(await resume('--cluster', clusterId, '--accept-lost-tail')).toMatchObject({
    ended: 1,
    output: expect.stringContaining('--yes'),
  });
  expect(await isStopped()).toBe(true);
});

test('accepts a confirmed loss once and records who confirmed it', async () => {
  const { ended, output } = await resume('--cluster', clusterId, '--accept-lost-tail', '--yes');
  expect(ended).toBe(0);
  expect(output).toContain('The lost entries are given up');
  const { rows } = await pool.query(
    "SELECT resolution, resolved_by, spare_until > now() + interval '29 days' AS spares FROM metadata_stop WHERE cluster_id = $1",
    [clusterId],
  );
  expect(rows).toEqual([{ resolution: 'accepted', resolved_by: expect.stringMatching(/^Operator /), spares: true }]);
  expect((await resume('--cluster', clusterId)).output).toContain('is not stopped');
});

test('resumes the cluster once the lost entries are back', async () => {
  await pool.query(
    "INSERT INTO metadata_journal (cluster_id, seq, organization_id, entry, hash) VALUES ($1, 2, 'org', $2, $3)",
    [clusterId, Buffer.from('two'), Buffer.from(lost.hash)],
  );
  const { ended, output } = await resume('--cluster', clusterId);
  expect({ ended, isStopped: await isStopped() }).toEqual({ ended: 0, isStopped: false });
  expect(output).toContain('nothing is lost');
});

test('a broken state is shown, and resumed once it is mended', async () => {
  const stops = new PostgresStops(pool);
  const { stop } = await stops.past(clusterId);
  if (stop !== undefined) {
    await stops.resolve(stop, { kind: 'restored', by: 'a test' });
  }
  const fault = { position: lost, command: 'commit-file', sha256: 'cd'.repeat(32), message: 'invariant broken: x' };
  await stops.halt(clusterId, fault);
  const shown = await resume('--cluster', clusterId);
  expect(shown.ended).toBe(1);
  expect(shown.output).toContain('Entry:    2 (');
  expect(shown.output).toContain(`commit-file ${fault.sha256}`);
  expect(shown.output).toContain('invariant broken: x');
  expect(shown.output).toContain('--mended');
  expect(await isStopped()).toBe(true);
  const mended = await resume('--cluster', clusterId, '--mended');
  expect({ ended: mended.ended, isStopped: await isStopped() }).toEqual({ ended: 0, isStopped: false });
  const { rows } = await pool.query('SELECT resolution FROM metadata_stop WHERE cluster_id = $1 ORDER BY number', [
    clusterId,
  ]);
  expect(rows.at(-1)).toEqual({ resolution: 'mended' });
});

test('a cluster must be named by its id', async () => {
  expect(await resume('--cluster', 'orders')).toMatchObject({ ended: 1, output: expect.stringContaining('by its id') });
});

test('stopped clusters are listed with time and reason', async () => {
  await resumeOthers();
  const { ended, output } = await metadata('stopped');
  expect(ended).toBe(0);
  expect(output).toMatch(new RegExp(`^${clusterId}  since \\d{4}-.* UTC  at least 1 lost entry, up to 2\n$`));
});

test('all stopped clusters are resumed at once', async () => {
  await resumeOthers();
  const first = clusterId;
  await stopAnother();
  const asked = await resume('--all');
  expect(asked.ended).toBe(1);
  expect(asked.output).toContain('0 of 2 clusters are resumed.');
  const accepted = await resume('--all', '--accept-lost-tail', '--yes');
  expect(accepted.output).toContain('2 of 2 clusters are resumed.');
  expect(accepted.ended).toBe(0);
  expect([await isStopped(first), await isStopped()]).toEqual([false, false]);
  expect(await metadata('stopped')).toEqual({ ended: 0, output: 'No cluster is stopped.\n' });
});

test('a cluster or all of them must be named', async () => {
  for (const flags of [[], ['--all', '--cluster', clusterId]]) {
    expect(await resume(...flags)).toMatchObject({ ended: 1, output: expect.stringContaining('--all') });
  }
});
