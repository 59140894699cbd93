// The Prisma client over the pg driver. It has its own entry point (`@penstock/database/client`), so that the web
// server's bundle contains no migrations.
import { applicationName, type DatabaseAccess, declareAccess } from '@penstock/platform';
import { PrismaPg } from '@prisma/adapter-pg';
import { Pool, type PoolClient } from 'pg';
import { Prisma, PrismaClient } from '../generated/client.ts';

export { queriesIn } from './queries-in.ts';
export { createReads, type Reads } from './reads/reads.ts';
export type { Lookup, Parameter, Statement } from './reads/statement.ts';
export * as column from './reads/statement.ts';
export { Prisma };

export type Database = PrismaClient;
/** The transaction that a use-case runs in, including its audit row. */
export type Transaction = Prisma.TransactionClient;

/**
 * Sign-up hashes a password while its transaction is open, which takes seconds on a machine with few processors.
 * Prisma's default of five seconds would then roll back a sign-up that had succeeded. This is also longer than any call
 * to the metadata service within a transaction. A burst of requests waits equally long for a free connection: better
 * late than refused.
 */
const transactionOptions = { timeout: 15_000, maxWait: 15_000 };

const pools = new WeakMap<Database, Pool>();

/**
 * Creates a client with its own connection pool. Connects with the first query; close it with `$disconnect()`.
 * @param maxConnections upper bound of the pool
 * @param access what the client does for more than one organization. Without it, only transactions that switch to a
 * tenant see any rows.
 * @param onConnect called with each connection before it is used
 */
export function createPrismaClient(
  databaseUrl: string,
  maxConnections = 10,
  access?: DatabaseAccess,
  onConnect: (connection: PoolClient) => void = () => undefined,
): Database {
  const hooks = {
    onConnect: async (connection: PoolClient): Promise<void> => {
      onConnect(connection);
      if (access !== undefined) {
        await declareAccess(connection, access);
      }
    },
  };
  const pool = new Pool({
    connectionString: databaseUrl,
    max: maxConnections,
    application_name: applicationName(access ?? 'tenants'),
    ...hooks,
  });
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const database = new PrismaClient({ adapter, transactionOptions });
  pools.set(database, pool);
  return database;
}

/** The connections of a client, for metrics. */
export function poolOf(database: Database): Pool | undefined {
  return pools.get(database);
}
