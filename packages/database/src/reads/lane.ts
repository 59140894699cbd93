// One connection for reads. It sends one message at a time.

import { applicationName, type DatabaseAccess, declareAccess } from '@penstock/platform';
import { Client } from 'pg';
import { Batch } from './batch.ts';
import type { Read } from './read.types.ts';
import { stepsOf } from './steps.ts';

/** Per statement, enforced by PostgreSQL. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** For a whole message, and for connecting. After that the connection counts as dead. */
const MESSAGE_TIMEOUT_MS = 15_000;

/** PostgreSQL could not be reached, so no read was sent. */
class Unreachable extends Error {}

interface Open {
  client: Client;
  /** Names of the statements prepared on the connection. */
  prepared: Set<string>;
}

export class Lane {
  readonly #databaseUrl: string;
  readonly #onProblem: (error: Error) => void;
  readonly #access: DatabaseAccess | undefined;
  #open: Promise<Open> | undefined;
  isBusy = false;

  /** @param access of lookups; without it they find nothing */
  constructor(databaseUrl: string, onProblem: (error: Error) => void, access?: DatabaseAccess) {
    this.#databaseUrl = databaseUrl;
    this.#access = access;
    this.#onProblem = onProblem;
  }

  /** Completes each of the reads with rows or an error. Never throws. */
  async run(reads: readonly Read[]): Promise<void> {
    this.isBusy = true;
    try {
      await this.#send(reads);
    } catch (error) {
      await this.#sendEach(reads, this.#broken(error));
    }
    this.isBusy = false;
  }

  /** Retries reads one at a time after a message failed, so that only the faulty read fails. */
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

  /** The state of the connection is now unknown: the next message opens a new one. */
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
      application_name: applicationName('reads'),
    });
    // A message that is under way gets the error itself.
    client.on('error', () => {
      this.#open = undefined;
    });
    await client.connect().catch((cause: unknown) => {
      throw new Unreachable('PostgreSQL cannot be reached.', { cause });
    });
    if (this.#access !== undefined) {
      await declareAccess(client, this.#access);
    }
    return { client, prepared: new Set() };
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    // A connection that never opened has nothing to close, and its reads already got the error.
    await open?.then(({ client }) => client.end()).catch(() => undefined);
  }
}
