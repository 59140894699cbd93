// SQL of other modules within a Prisma transaction.
import type { Prisma } from '../generated/client.ts';

/** A query as the pg driver takes it. */
export interface Query {
  text: string;
  values: unknown[];
}

/** Runs queries; the pg driver's pools and clients have the same form. */
export interface TransactionQueries {
  query<Row>(query: Query): Promise<{ rows: Row[] }>;
}

/** Lets a module that owns tables run its queries in a transaction of the caller. */
export function queriesIn(tx: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>): TransactionQueries {
  return {
    async query<Row>({ text, values }: Query) {
      return { rows: await tx.$queryRawUnsafe<Row[]>(text, ...values) };
    },
  };
}
