// Batched reads on a real PostgreSQL: no read sees another's rows, and none waits for or fails with another
// unnecessarily.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createReads, type Reads } from './reads.ts';
import { type Lookup, type Statement, text } from './statement.ts';

let database: TestDatabase;
let client: Client;
let reads: Reads;
const problems: string[] = [];
const [own, other] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  database = await createTestDatabase();
  client = new Client({ connectionString: database.url });
  await client.connect();
  for (const id of [own, other]) {
    await client.query('INSERT INTO organization (id, name, slug) VALUES ($1, $2, $1)', [id, `name of ${id}`]);
  }
  reads = createReads(database.url, { connections: 1, onProblem: ({ message }) => problems.push(message) });
});
afterAll(async () => {
  await reads.close();
  await client.end();
  await database.drop();
});

const hexOf = (name: string) => Buffer.from(name).toString('hex');

const everyOrganization: Statement<string> = {
  name: 'every_organization',
  text: 'SELECT id FROM organization ORDER BY id',
  toRow: ([id]) => text(id),
};
const quotient: Statement<number> = {
  name: 'quotient',
  text: 'SELECT 12 / $1::int',
  toRow: ([value]) => Number(text(value)),
};
const organizationById: Lookup<{ id: string; role: string }> = {
  name: 'organization_by_id',
  text: `SELECT id, current_user FROM organization
    WHERE id = ANY (ARRAY(SELECT convert_from(decode(wanted, 'hex'), 'UTF8') FROM unnest($1::text[]) wanted))`,
  toRow: ([id, role]) => ({ id: text(id), role: text(role) }),
  keyOf: ({ id }) => hexOf(id),
};

// Even if the query selects all.
test('a tenant sharing a message reads only its own rows', async () => {
  const tenants = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? own : other));
  const seen = await Promise.all(tenants.map((tenant) => reads.readInTenant(tenant, everyOrganization, [])));
  expect(seen).toEqual(tenants.map((tenant) => [tenant]));
});

// Lookups around it have the connection's own rights.
test('a tenant’s rights end with its message', async () => {
  const inOne = await Promise.all([
    reads.readInTenant(own, everyOrganization, []),
    reads.find(organizationById, hexOf(other)),
    reads.find(organizationById, hexOf(own)),
    reads.find(organizationById, hexOf('nobody')),
  ]);
  expect(inOne[0]).toEqual([own]);
  expect([inOne[1]?.id, inOne[2]?.id, inOne[3]]).toEqual([other, own, undefined]);
  const after = await reads.find(organizationById, hexOf(other));
  expect(after?.id).toBe(other);
  expect(after?.role).not.toBe('penstock_tenant');
});

test('a read returns what is committed when it is requested', async () => {
  const nameOf: Statement<string> = {
    name: 'name_of_organization',
    text: 'SELECT name FROM organization WHERE id = $1',
    toRow: ([name]) => text(name),
  };
  for (const name of ['first', 'second', 'third']) {
    await client.query('UPDATE organization SET name = $1 WHERE id = $2', [name, own]);
    expect(await reads.readInTenant(own, nameOf, [own])).toEqual([name]);
  }
});

test('a read that PostgreSQL refuses does not fail the others', async () => {
  const outcomes = await Promise.allSettled(
    ['3', '0', '4', null].map((divisor) => reads.readInTenant(own, quotient, [divisor])),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(outcomes[0]).toMatchObject({ value: [4] });
  expect(outcomes[1]).toMatchObject({ reason: { message: 'division by zero' } });
  expect(problems).toContain('division by zero');
});

test('a broken connection is reopened and answers pending reads', async () => {
  await reads.readInTenant(own, everyOrganization, []);
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE '%organization ORDER BY id'`,
  );
  expect(await reads.readInTenant(own, everyOrganization, [])).toEqual([own]);
});

test('refuses every read at once without PostgreSQL', async () => {
  const nowhere = createReads('postgresql://nobody@127.0.0.1:1/nothing');
  const tries = [nowhere.find(organizationById, hexOf(own)), nowhere.readInTenant(own, everyOrganization, [])];
  for (const outcome of await Promise.allSettled(tries)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'PostgreSQL cannot be reached.' } });
  }
  await nowhere.close();
});
