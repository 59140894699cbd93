// Walks a cluster's journal once, in order, a bounded part at a time.
import { type JournalRow, readStretch, type StretchBounds } from '@penstock/metadata-journal';
import type { ClientBase } from 'pg';

const bounds: StretchBounds = { entries: 2_000, bytes: 16 * 1024 * 1024 };

export class JournalCursor {
  readonly #client: ClientBase;
  readonly #clusterId: string;
  #page: JournalRow[] = [];
  #at = 0;
  #afterSeq: bigint;
  #isAtEnd = false;

  /** @param afterSeq where to begin: the first entry that is given lies behind it */
  constructor(client: ClientBase, clusterId: string, afterSeq: bigint) {
    this.#client = client;
    this.#clusterId = clusterId;
    this.#afterSeq = afterSeq;
  }

  /** The next entry, unless it lies beyond `throughSeq`: then undefined, and it stays the next one. */
  async next(throughSeq: bigint): Promise<JournalRow | undefined> {
    if (this.#at === this.#page.length && !this.#isAtEnd) {
      this.#page = await readStretch(this.#client, this.#clusterId, this.#afterSeq, bounds);
      this.#at = 0;
      this.#afterSeq = this.#page.at(-1)?.seq ?? this.#afterSeq;
      this.#isAtEnd = this.#page.length === 0;
    }
    const row = this.#page[this.#at];
    if (row === undefined || row.seq > throughSeq) {
      return undefined;
    }
    this.#at += 1;
    return row;
  }
}
