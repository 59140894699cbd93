// What programs check before they serve: that row security binds the role of DATABASE_URL.
import { bindingProblem, readRoleBinding } from '@penstock/platform';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
const clients: Client[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  const superuser = await connect(database.url);
  await superuser.query(`DROP ROLE IF EXISTS ${inheriting()}`);
  await Promise.all(clients.map((client) => client.end()));
  await database.drop();
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

/** A name of this test alone: roles belong to the whole server. */
function inheriting(): string {
  return `inheriting_${database.name}`;
}

test('the role of the tests, as in production, is bound', async () => {
  const owner = await connect(database.ownerUrl);
  expect(bindingProblem(await readRoleBinding(owner))).toBeUndefined();
  await owner.query('SET ROLE penstock_metadata');
  expect(bindingProblem(await readRoleBinding(owner))).toBeUndefined();
});

test('a superuser is never bound', async () => {
  const superuser = await connect(database.url);
  expect(bindingProblem(await readRoleBinding(superuser))?.message).toMatch(/^Row security never binds .* superuser/);
});

test('a role that inherits is told the statement that ends it', async () => {
  const superuser = await connect(database.url);
  await superuser.query(`CREATE ROLE ${inheriting()} LOGIN PASSWORD 'inherits'`);
  await superuser.query(`GRANT penstock_operator TO ${inheriting()} WITH INHERIT TRUE`);
  const url = new URL(database.url);
  url.username = inheriting();
  url.password = 'inherits';
  const client = await connect(url.href);
  expect(bindingProblem(await readRoleBinding(client))).toEqual({
    message: `${inheriting()} inherits the rights of penstock_operator, so row security would hide nothing from it.`,
    remedy: `Run \`REVOKE INHERIT OPTION FOR <role> FROM "${inheriting()}"\` for each of them (before PostgreSQL 16: \`ALTER ROLE "${inheriting()}" NOINHERIT\`).`,
  });
  await superuser.query(`REVOKE INHERIT OPTION FOR penstock_operator FROM ${inheriting()}`);
  expect(bindingProblem(await readRoleBinding(client))).toBeUndefined();
});
