// Another process that tries to acquire leases, in a thread of its own, so that it continues while the test's thread is blocked.
import { randomUUID } from 'node:crypto';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { PostgresLeases } from '@penstock/metadata-journal';
import { Pool } from 'pg';

interface RivalData {
  databaseUrl: string;
  clusterIds: readonly string[];
  words: SharedArrayBuffer;
}

const TAKEN = 0;
const ROUNDS = 1;
const IS_STOPPED = 2;

/** Tries to acquire leases, over and over, until stopped. */
export class LeaseRival {
  readonly #words = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #ended: Promise<void>;

  constructor(databaseUrl: string, clusterIds: readonly string[]) {
    const data: RivalData = { databaseUrl, clusterIds, words: this.#words.buffer };
    this.#worker = new Worker(new URL(import.meta.url), { workerData: data });
    this.#ended = new Promise((resolve, reject) => {
      this.#worker.once('error', reject);
      this.#worker.once('exit', () => resolve());
    });
    this.#ended.catch(() => undefined);
  }

  /** How many leases it acquired. */
  get taken(): number {
    return Atomics.load(this.#words, TAKEN);
  }

  /** Blocks this thread until the rival has a lease, or for this long. */
  blockUntilTaken(patienceMs: number): void {
    Atomics.wait(this.#words, TAKEN, 0, patienceMs);
  }

  /** Resolves once every lease has been tried since the call. */
  async tried(): Promise<void> {
    const goal = Atomics.load(this.#words, ROUNDS) + 2;
    for (;;) {
      const rounds = Atomics.load(this.#words, ROUNDS);
      if (rounds >= goal) {
        return;
      }
      const { async, value } = Atomics.waitAsync(this.#words, ROUNDS, rounds);
      if (async) {
        await Promise.race([value, this.#ended]);
      }
    }
  }

  async stop(): Promise<void> {
    Atomics.store(this.#words, IS_STOPPED, 1);
    await this.#ended;
  }
}

/** Blocks this thread, as a long decode does. */
export function blockThread(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, forMs);
}

async function run({ databaseUrl, clusterIds, words: buffer }: RivalData): Promise<void> {
  const words = new Int32Array(buffer);
  const pool = new Pool({ connectionString: databaseUrl, max: 1 });
  const leases = new PostgresLeases(pool);
  const rival = { ownerId: randomUUID(), ownerUrl: 'http://rival' };
  // It could acquire a lease that it holds again, so those are excluded.
  const wanted = new Set(clusterIds);
  while (Atomics.load(words, IS_STOPPED) === 0) {
    for (const clusterId of wanted) {
      const attempt = await leases.acquire(clusterId, rival, 60_000);
      if (attempt.outcome === 'acquired') {
        wanted.delete(clusterId);
        Atomics.add(words, TAKEN, 1);
        Atomics.notify(words, TAKEN);
      }
    }
    Atomics.add(words, ROUNDS, 1);
    Atomics.notify(words, ROUNDS);
    // Yields to other work when there is nothing left to acquire.
    await pool.query('SELECT');
  }
  await pool.end();
}

if (parentPort !== null && workerData?.words instanceof SharedArrayBuffer) {
  await run(workerData);
}
