// A producer and a consumer on connections that stay open. They never connect again, so that the end of a connection is seen.
import { fetch, produce, type TopicPartition } from '../checker/raw-requests.ts';
import { decodeBatches } from '../checker/record-batch.ts';
import type { RawConnection } from '../support/raw-connection.ts';
import { recordBatch } from '../support/raw-kafka.ts';
import { until } from '../support/run.ts';

const TIMEOUT_MS = 60_000;
/** As clients wait for records by default. */
const DEFAULT_WAIT_MS = 500;

/** How a client that runs until it is stopped came to its end. */
export interface End {
  /** 0 if it was stopped. */
  errorCode: number;
  /** Why the connection ended, if it did. */
  cause?: Error;
  /** The time by `performance.now()`. */
  atMs: number;
}

export abstract class OpenClient {
  readonly ended: Promise<End>;
  #turns = 0;
  #isStopped = false;

  protected constructor(turn: () => Promise<number>) {
    this.ended = this.#run(turn);
  }

  /** The number of successful requests. */
  get turns(): number {
    return this.#turns;
  }

  /** Waits for one more request to succeed. */
  async flows(): Promise<void> {
    const before = this.#turns;
    await until('the client goes on', () => this.#turns > before + 1);
  }

  stop(): Promise<End> {
    this.#isStopped = true;
    return this.ended;
  }

  async #run(turn: () => Promise<number>): Promise<End> {
    try {
      while (!this.#isStopped) {
        const errorCode = await turn();
        if (errorCode !== 0) {
          return { errorCode, atMs: performance.now() };
        }
        this.#turns += 1;
      }
      return { errorCode: 0, atMs: performance.now() };
    } catch (cause) {
      return {
        errorCode: -1,
        cause: cause instanceof Error ? cause : new Error(String(cause)),
        atMs: performance.now(),
      };
    }
  }
}

/** Writes one record after the other. */
export class OpenProducer extends OpenClient {
  /** Offsets of the acknowledged records. */
  readonly offsets: number[];

  constructor(connection: RawConnection, to: TopicPartition) {
    const offsets: number[] = [];
    super(async () => {
      const { errorCode, baseOffset } = await produce(connection, to, recordBatch('a record'), TIMEOUT_MS);
      if (errorCode === 0) {
        offsets.push(baseOffset);
      }
      return errorCode;
    });
    this.offsets = offsets;
  }
}

/** Reads from the start of a partition and waits for more at its end. */
export class OpenConsumer extends OpenClient {
  /** Offsets of the records that it got, in their order. */
  readonly offsets: number[];

  constructor(connection: RawConnection, from: TopicPartition, waitMs = DEFAULT_WAIT_MS) {
    const offsets: number[] = [];
    let offset = 0;
    super(async () => {
      const [fetched] = await fetch(connection, [{ ...from, offset }], waitMs, TIMEOUT_MS);
      const batches = decodeBatches(fetched?.records ?? Buffer.alloc(0));
      for (const record of batches.flatMap(({ records }) => records).filter((one) => one.offset >= offset)) {
        offsets.push(record.offset);
        offset = record.offset + 1;
      }
      return fetched?.errorCode ?? -1;
    });
    this.offsets = offsets;
  }
}
