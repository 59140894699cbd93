import type { Pool, PoolClient } from 'pg';

/** Runs `work` in a transaction. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // A connection whose rollback fails is not reused.
    await client.query('ROLLBACK').then(
      () => client.release(),
      (cause: Error) => client.release(cause),
    );
    throw error;
  }
}
