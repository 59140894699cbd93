// Divides the shards of clusters evenly among the workers that live. Each names itself in a table every two seconds.
import { every, type Logger, newId, SHARDS } from '@penstock/platform';
import type { Pool } from 'pg';

const BEAT_INTERVAL_MS = 2_000;
/** A worker that was silent for so long is gone: its shards are those of the others then. */
const LIFETIME_S = 8;

/**
 * A worker's shards, among the workers that live. For a few seconds two workers may disagree who lives, and both work for a shard, or
 * none does: everything that is done for a shard may be done twice, at once.
 */
export function sharesOf(living: readonly string[], workerId: string): number[] {
  const workers = [...new Set([...living, workerId])].sort();
  const place = workers.indexOf(workerId);
  return Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => shard % workers.length === place);
}

/** The flag of jobs for a shard, which other workers do not take. */
export function flagOf(shard: number): string {
  return `shard-${shard}`;
}

export class ShardShare {
  readonly #pool: Pool;
  readonly #logger: Logger;
  readonly #id = newId();
  #own: readonly number[] = [];
  #stopBeating: () => Promise<void> = () => Promise.resolve();

  private constructor(pool: Pool, logger: Logger) {
    this.#pool = pool;
    this.#logger = logger;
  }

  /** @param pool with the access of the worker */
  static async join(pool: Pool, logger: Logger): Promise<ShardShare> {
    const share = new ShardShare(pool, logger);
    await share.#beat();
    share.#stopBeating = every(BEAT_INTERVAL_MS, () =>
      share
        .#beat()
        .catch((error: unknown) =>
          logger.warn({ err: error }, 'This worker could not name itself to the others; it keeps its shards meanwhile'),
        ),
    );
    return share;
  }

  /** The shards that this worker works for. */
  get own(): readonly number[] {
    return this.#own;
  }

  /** Flags of the jobs that are for other workers. */
  get foreignFlags(): string[] {
    const own = new Set(this.#own);
    return Array.from({ length: SHARDS }, (_, shard) => shard)
      .filter((shard) => !own.has(shard))
      .map(flagOf);
  }

  /** Leaves its shards to the others, who take them with their next beat. */
  async leave(): Promise<void> {
    await this.#stopBeating();
    this.#own = [];
    await this.#pool
      .query('DELETE FROM worker_process WHERE id = $1', [this.#id])
      .catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'This worker could not sign off; the others take its shards in some seconds'),
      );
  }

  async #beat(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string }>({
      name: 'worker-beat',
      text: `WITH beat AS (
               INSERT INTO worker_process (id, seen_at) VALUES ($1, clock_timestamp())
               ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at
             ), gone AS (
               DELETE FROM worker_process WHERE seen_at < clock_timestamp() - interval '1 hour'
             )
             SELECT id FROM worker_process WHERE seen_at > clock_timestamp() - $2 * interval '1 s'`,
      values: [this.#id, LIFETIME_S],
    });
    this.#own = sharesOf(
      rows.map(({ id }) => id),
      this.#id,
    );
  }
}
