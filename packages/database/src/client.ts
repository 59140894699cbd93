// The Prisma client over the pg driver. A door of its own (`@penstock/database/client`), so that the web server's bundle
// holds nothing of the migrations.
import { PrismaPg } from '@prisma/adapter-pg';
import { Prisma, PrismaClient } from '../generated/client.ts';

export { queriesIn } from './queries-in.ts';
export { createReads, type Reads } from './reads/reads.ts';
export type { Lookup, Parameter, Statement } from './reads/statement.ts';
export * as column from './reads/statement.ts';
export { Prisma };

export type Database = PrismaClient;
/** What a use-case takes: the transaction in which it reads, writes and leaves its audit row. */
export type Transaction = Prisma.TransactionClient;

/**
 * Sign-up hashes a password while its transaction is open, which takes seconds on a machine that is short of processors: Prisma's own
 * five seconds would then undo a sign-up that had succeeded. It is also longer than any call to the metadata service within a
 * transaction. A burst of requests waits as long for a free connection: served late rather than refused.
 */
const transactionOptions = { timeout: 15_000, maxWait: 15_000 };

/**
 * Opens a client with its own connection pool. Connects with the first query; end it with `$disconnect()`.
 * @param maxConnections upper bound of the pool
 */
export function createPrismaClient(databaseUrl: string, maxConnections = 10): Database {
  const adapter = new PrismaPg({ connectionString: databaseUrl, max: maxConnections });
  return new PrismaClient({ adapter, transactionOptions });
}
