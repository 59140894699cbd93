// No migration stops the product: each is applied while the release before it runs and customers write.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationNames, migrationsFolder } from '@penstock/platform';
import { expect, test } from 'vitest';
import { migrationProblems } from './testing/migration-rules.ts';

/** Nobody ran a release before this one: what is older is only applied to new databases. */
const LAST_BEFORE_THE_RULES = '20261128225500_verified_accounts';

test('new migrations keep the rules', async () => {
  const names = (await migrationNames()).filter((name) => name > LAST_BEFORE_THE_RULES);
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) {
    const script = await readFile(join(migrationsFolder, name, 'migration.sql'), 'utf8');
    expect(await migrationProblems(script), name).toEqual([]);
  }
});

test('every script is read, and old ones break the rules', async () => {
  const names = await migrationNames();
  const problems = await Promise.all(
    names.map(async (name) => migrationProblems(await readFile(join(migrationsFolder, name, 'migration.sql'), 'utf8'))),
  );
  expect(problems.flat().length).toBeGreaterThan(20);
});

test.each([
  ['ALTER TABLE journal ADD COLUMN note text'],
  ['ALTER TABLE journal ADD COLUMN is_new boolean NOT NULL DEFAULT false'],
  ['ALTER TABLE journal ADD COLUMN at timestamptz NOT NULL DEFAULT now()'],
  ['ALTER TABLE journal ALTER COLUMN note SET DEFAULT 1'],
  ['ALTER TABLE journal ADD CONSTRAINT positive CHECK (id > 0) NOT VALID'],
  ['ALTER TABLE journal VALIDATE CONSTRAINT positive'],
  ['ALTER TABLE journal ADD CONSTRAINT journal_key UNIQUE USING INDEX journal_idx'],
  ['CREATE INDEX CONCURRENTLY IF NOT EXISTS journal_idx ON journal (id)'],
  ['DROP INDEX CONCURRENTLY IF EXISTS journal_idx'],
  ['CREATE TABLE other (id int PRIMARY KEY); CREATE INDEX ON other (id); ALTER TABLE other ALTER id TYPE bigint'],
  ["UPDATE journal SET note = '' WHERE id = 1"],
  ['GRANT SELECT ON journal TO reader'],
])('%s is allowed', async (script) => {
  expect(await migrationProblems(script)).toEqual([]);
});

test.each([
  ['ALTER TABLE journal DROP COLUMN note', 'DROP COLUMN'],
  ['ALTER TABLE journal ALTER COLUMN id TYPE numeric', 'rewrites the table'],
  ['ALTER TABLE journal ALTER COLUMN id SET NOT NULL', 'reads the whole table'],
  ['ALTER TABLE journal ADD COLUMN note text NOT NULL', 'without a DEFAULT'],
  ['ALTER TABLE journal ADD COLUMN key uuid DEFAULT gen_random_uuid()', 'computed per row'],
  ['ALTER TABLE journal ADD COLUMN at timestamptz DEFAULT clock_timestamp()', 'computed per row'],
  ['ALTER TABLE journal ADD COLUMN number bigserial', 'a sequence'],
  ['ALTER TABLE journal ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY', 'a sequence'],
  ['ALTER TABLE journal ADD COLUMN twice bigint GENERATED ALWAYS AS (id * 2) STORED', 'rewrites the table'],
  ['ALTER TABLE journal ADD COLUMN note text UNIQUE', 'builds an index'],
  ['ALTER TABLE journal ADD CONSTRAINT positive CHECK (id > 0)', 'NOT VALID'],
  ['ALTER TABLE journal ADD FOREIGN KEY (id) REFERENCES other (id)', 'NOT VALID'],
  ['ALTER TABLE journal ADD UNIQUE (id)', 'USING INDEX'],
  ['ALTER TABLE journal ADD COLUMN note text, VALIDATE CONSTRAINT positive', 'a migration of its own'],
  ['ALTER TABLE journal RENAME COLUMN note TO text', 'a new name'],
  ['ALTER TABLE journal RENAME TO log', 'a new name'],
  ['CREATE INDEX journal_idx ON journal (id)', 'CONCURRENTLY'],
  ['CREATE INDEX CONCURRENTLY journal_idx ON journal (id)', 'IF NOT EXISTS'],
  ['CREATE INDEX CONCURRENTLY IF NOT EXISTS journal_idx ON journal (id); SELECT 1', 'the only statement'],
  ['DROP INDEX journal_idx', 'CONCURRENTLY'],
  ['DROP TABLE journal', 'DROP TABLE'],
  ['TRUNCATE journal', 'TRUNCATE'],
  ['LOCK TABLE journal', 'LOCK'],
  ['VACUUM FULL journal', 'VACUUM'],
  ['REINDEX TABLE journal', 'REINDEX'],
  ["UPDATE journal SET note = ''", 'every row'],
  ['DELETE FROM journal', 'every row'],
])('%s is refused', async (script, why) => {
  expect(await migrationProblems(script)).toEqual([expect.stringContaining(why)]);
});
