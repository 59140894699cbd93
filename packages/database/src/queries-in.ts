// Runs other modules' SQL within a Prisma transaction.
import type { Prisma } from '../generated/client.ts';

/** A query in the form of the pg driver. */
export interface Query {
  text: string;
  values: unknown[];
}

/** Runs queries. The pg driver's pools and clients have the same interface. */
export interface TransactionQueries {
  query<Row>(query: Query): Promise<{ rows: Row[] }>;
}

/** Lets the module that owns a table run its queries in the caller's transaction. */
export function queriesIn(tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>): TransactionQueries {
  return {
    async query<Row>({ text, values }: Query) {
      return { rows: await tx.$queryRawUnsafe<Row[]>(text, ...values) };
    },
  };
}
