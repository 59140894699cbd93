// Reads a cluster's journal once, in order, a bounded section at a time.
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

  /** @param afterSeq where to begin: the first returned entry comes after it */
  constructor(client: ClientBase, clusterId: string, afterSeq: bigint) {
    this.#client = client;
    this.#clusterId = clusterId;
    this.#afterSeq = afterSeq;
  }

  /** The next entry. Undefined if it is beyond `throughSeq`; it is then returned by a later call. */
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
