// The commands as an operator runs them: their output and exit codes.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const node = fileURLToPath(new URL('../../../node_modules/node/bin/node', import.meta.url));
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ isFlushed: false });
});
afterAll(() => database.drop());

const program = fileURLToPath(new URL('main.ts', import.meta.url));

/** @param command such as `audit verify` */
function run(
  command: string,
  args: string[],
  databaseUrl = database.ownerUrl,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      node,
      [program, ...command.split(' '), ...args],
      { env: { ...process.env, DATABASE_URL: databaseUrl, PENSTOCK_SECRETS: `1:${'s'.repeat(32)}` } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test.each([
  ['audit verify', 'The audit log is whole: 0 rows'],
  ['billing outbox', '0 failed, 0 to be repeated'],
  ['billing holds', '0 hours wait for a review.'],
  ['secrets reseal', 'Everything in the database is sealed with it.'],
  ['database migrate', 'No migration is missing.'],
  ['database migrate --check', 'No migration is missing.'],
])('%s exits with 0 and prints what it found', async (command, found) => {
  const { code, stdout, stderr } = await run(command, []);
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(found), '']);
});

test.each([
  ['audit verify', ['--organization', 'nobody'], 'There is no organization nobody.'],
  ['billing outbox', ['--unknown'], "unknown option '--unknown'"],
  ['billing credit-note', [], "required option '--invoice <number>' not specified"],
  ['billing holds', ['--cluster', 'x', '--release'], 'Give a reason, and either --release or --waive.'],
  ['database migrate', ['--wait', 'soon'], 'Give a whole number of minutes, 0 or more.'],
  ['organization suspend', [], "required option '--organization <id>' not specified"],
  ['organization suspend', ['--organization', 'nobody', '--reason', 'x'], 'There is no organization nobody.'],
  ['organization resume', ['--organization', 'nobody', '--reason', 'x'], 'There is no organization nobody.'],
  ['billing record-transfer', [], "required option '--invoice <number>' not specified"],
])('%s %j exits with 1, and prints the reason and the usage', async (command, args, why) => {
  const { code, stderr } = await run(command, args);
  expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(stderr).toContain(`npm run admin -- ${command}`);
});

test('--help lists every command without a database', async () => {
  const { code, stdout } = await run('--help', [], '');
  expect(code).toBe(0);
  const groups = [...stdout.matchAll(/^ {2}([a-z]+) +[A-Z]/gm)].map(([, name = '']) => name);
  expect(groups).toEqual(['audit', 'billing', 'cells', 'database', 'metadata', 'organization', 'secrets']);
  const helps = await Promise.all(groups.map((group) => run(group, ['--help'], '')));
  expect(helps.map(({ code: ended }) => ended)).toEqual(groups.map(() => 0));
  const all = helps.map(({ stdout: help }) => help).join('');
  for (const command of [
    'verify',
    'recompute',
    'credit-note',
    'init',
    'migrate',
    'force-row-security',
    'drain',
    'stopped',
    'resume',
    'reseal',
  ]) {
    expect(all).toMatch(new RegExp(`^  ${command} `, 'm'));
  }
});

test.each([[['--unknown']], [['--organization', 'nobody', '--month', 'July']]])(
  '%j exits with 2 if the bill cannot be recomputed',
  async (args) => {
    expect((await run('billing recompute', args)).code).toBe(2);
  },
);

test('an organization is suspended and resumed', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(`INSERT INTO organization (id, name, slug) VALUES ('acme', 'Acme', 'acme')`);
    const ask = ['--organization', 'acme', '--reason', 'Abuse was reported.'];
    const suspended = await run('organization suspend', [...ask, '--block-reads']);
    expect([suspended.code, suspended.stdout]).toEqual([0, expect.stringContaining('Organization acme is suspended')]);
    const { rows } = await client.query('SELECT reason, reads_allowed FROM organization_suspension');
    expect(rows).toEqual([{ reason: 'Abuse was reported.', reads_allowed: false }]);
    expect((await run('organization resume', ask)).code).toBe(0);
    expect((await client.query('SELECT 1 FROM organization_suspension')).rows).toEqual([]);
  } finally {
    await client.end();
  }
});

test('a missing migration is listed, and applied on request', async () => {
  const empty = await createTestDatabase({ isMigrated: false });
  try {
    const before = await run('database migrate', ['--check'], empty.ownerUrl);
    expect([before.code, before.stdout]).toEqual([1, expect.stringMatching(/^Missing: 20\d{12}_\w+\n/)]);
    const count = before.stdout.trim().split('\n').length;
    const applied = await run('database migrate', [], empty.ownerUrl);
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining(`Applied ${count} migrations.`)]);
    expect((await run('database migrate', ['--check'], empty.ownerUrl)).code).toBe(0);
  } finally {
    await empty.drop();
  }
});

test('commands exit with 1 and a remedy without a database', async () => {
  const { code, stderr } = await run('audit verify', [], 'postgresql://nobody@127.0.0.1:1/none');
  expect([code, stderr]).toEqual([1, expect.stringContaining('npm start')]);
});
