// One connection for reads, which sends one message at a time.
import { Client } from 'pg';
import { Batch } from './batch.ts';
import type { Parameter, Statement } from './statement.ts';
import { stepsOf } from './steps.ts';

/** A read that waits, and who waits for it. */
export interface Read {
  /** Null: with the connection's own rights. */
  organizationId: string | null;
  statement: Statement<unknown>;
  values: Parameter[];
  /** What a lookup looks for; null for all other reads. */
  key: string | null;
  rows: unknown[];
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

/** Of one statement, by PostgreSQL's clock. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** Of a whole message, and of connecting; after that the connection counts as dead. */
const MESSAGE_TIMEOUT_MS = 15_000;

/** PostgreSQL could not be reached, so that nothing was asked. */
class Unreachable extends Error {}

interface Open {
  client: Client;
  /** Names of the statements that the connection knows. */
  prepared: Set<string>;
}

export class Lane {
  readonly #databaseUrl: string;
  readonly #onProblem: (error: Error) => void;
  #open: Promise<Open> | undefined;
  isBusy = false;

  constructor(databaseUrl: string, onProblem: (error: Error) => void) {
    this.#databaseUrl = databaseUrl;
    this.#onProblem = onProblem;
  }

  /** Answers each of the reads, by rows or by an error. Never throws. */
  async run(reads: readonly Read[]): Promise<void> {
    this.isBusy = true;
    try {
      await this.#send(reads);
    } catch (error) {
      await this.#sendEach(reads, this.#broken(error));
    }
    this.isBusy = false;
  }

  /** One at a time and once more, after a message failed: whichever read was at fault fails alone. */
  async #sendEach(reads: readonly Read[], first: Error): Promise<void> {
    let last = first;
    for (const read of reads) {
      read.rows.length = 0;
      try {
        if (last instanceof Unreachable) {
          throw last;
        }
        await this.#send([read]);
      } catch (error) {
        last = this.#broken(error);
        read.reject(last);
      }
    }
  }

  /** What the connection knows is uncertain now: the next message opens another one. */
  #broken(error: unknown): Error {
    const cause = error instanceof Error ? error : new Error(String(error));
    this.#onProblem(cause);
    void this.close();
    return cause;
  }

  async #send(reads: readonly Read[]): Promise<void> {
    this.#open ??= this.#connect();
    const { client, prepared } = await this.#open;
    await new Promise<void>((resolve, reject) => {
      const batch = new Batch(stepsOf(reads), prepared, (error) => {
        clearTimeout(timer);
        if (error === null) {
          resolve();
        } else {
          reject(error);
        }
      });
      const timer = setTimeout(() => batch.connection?.stream.destroy(), MESSAGE_TIMEOUT_MS);
      client.query(batch);
    });
  }

  async #connect(): Promise<Open> {
    const client = new Client({
      connectionString: this.#databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: MESSAGE_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
    });
    // While a message is under way, it hears of the end itself.
    client.on('error', () => {
      this.#open = undefined;
    });
    await client.connect().catch((cause: unknown) => {
      throw new Unreachable('PostgreSQL cannot be reached.', { cause });
    });
    return { client, prepared: new Set() };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    // One that never opened has nothing to close, and its reads have heard of it.
    await open?.then(({ client }) => client.end()).catch(() => undefined);
  }
}
