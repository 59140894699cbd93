// The PostgreSQL databases that hold journals, snapshots and leases, by cell name. Connects on demand.
import type { Pool } from 'pg';

/** A cluster names a cell for which this process has no connection string. */
export class UnknownCell extends Error {
  override readonly name = 'UnknownCell';

  constructor(cell: string) {
    super(`cell "${cell}" is not configured: add it to PENSTOCK_CELLS`);
  }
}

/** The answer of one cell, or why there is none. */
export type CellAnswer<Answer> =
  | { readonly cell: string; readonly answer: Answer }
  | { readonly cell: string; readonly error: unknown };

export class Cells {
  readonly #urls: ReadonlyMap<string, string>;
  readonly #connect: (url: string, cell: string) => Pool;
  readonly #pools = new Map<string, Pool>();

  /**
   * @param urls connection URLs by cell name
   * @param connect creates the pool of a cell, once. It must leave synchronous_commit on and handle the pool's errors.
   */
  constructor(urls: ReadonlyMap<string, string>, connect: (url: string, cell: string) => Pool) {
    this.#urls = urls;
    this.#connect = connect;
  }

  get names(): string[] {
    return [...this.#urls.keys()];
  }

  /** @throws UnknownCell */
  url(cell: string): string {
    const url = this.#urls.get(cell);
    if (url === undefined) {
      throw new UnknownCell(cell);
    }
    return url;
  }

  /** @throws UnknownCell */
  pool(cell: string): Pool {
    let pool = this.#pools.get(cell);
    if (pool === undefined) {
      pool = this.#connect(this.url(cell), cell);
      this.#pools.set(cell, pool);
    }
    return pool;
  }

  /** The pools created so far. */
  get opened(): Iterable<readonly [cell: string, pool: Pool]> {
    return this.#pools;
  }

  /** Queries every cell at once. A cell that cannot answer does not affect the others. */
  async ask<Answer>(question: (pool: Pool, cell: string) => Promise<Answer>): Promise<CellAnswer<Answer>[]> {
    return await Promise.all(
      this.names.map(async (cell) => {
        try {
          return { cell, answer: await question(this.pool(cell), cell) };
        } catch (error) {
          return { cell, error };
        }
      }),
    );
  }

  /** Ends every pool that was created here. */
  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }
}
