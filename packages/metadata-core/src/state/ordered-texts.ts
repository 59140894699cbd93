// Texts in order, for lists that are read page by page. They are kept in sorted chunks, so that adding one among a million moves few
// of them, and nothing is ever sorted.
import { present } from '../model/assert.ts';

const MAX_CHUNK_TEXTS = 512;

/** A set of texts in the order of their UTF-16 code units, as JavaScript compares them. */
export class OrderedTexts {
  /** Each has at least one text, and all of its texts come before those of the next. */
  readonly #chunks: string[][] = [];

  add(text: string): void {
    const at = Math.min(this.#chunkEndingAtOrAfter(text), Math.max(0, this.#chunks.length - 1));
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([text]);
      return;
    }
    const place = placeOf(chunk, text);
    if (chunk[place] === text) {
      return;
    }
    chunk.splice(place, 0, text);
    if (chunk.length > MAX_CHUNK_TEXTS) {
      this.#chunks.splice(at + 1, 0, chunk.splice(MAX_CHUNK_TEXTS / 2));
    }
  }

  delete(text: string): void {
    const at = this.#chunkEndingAtOrAfter(text);
    const chunk = this.#chunks[at];
    const place = chunk === undefined ? 0 : placeOf(chunk, text);
    if (chunk?.[place] !== text) {
      return;
    }
    chunk.splice(place, 1);
    if (chunk.length === 0) {
      this.#chunks.splice(at, 1);
    }
  }

  /**
   * The first text after another, which need not be in the set; null: the first of all. Undefined if there is none.
   * The empty text comes before all others.
   */
  next(after: string | null): string | undefined {
    if (after === null) {
      return this.#chunks[0]?.[0];
    }
    const at = this.#chunkEndingAtOrAfter(after);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      return undefined;
    }
    const place = placeOf(chunk, after);
    return chunk[place] === after ? (chunk[place + 1] ?? this.#chunks[at + 1]?.[0]) : chunk[place];
  }

  /**
   * The texts after another, which need not be in the set, in order; null: all. The set may change between two of them: each is the next one
   * of the set as it is then.
   */
  *following(after: string | null): Generator<string, void, undefined> {
    for (let text = this.next(after); text !== undefined; text = this.next(text)) {
      yield text;
    }
  }

  /** The index of the first chunk whose last text is this one or comes after it; the number of chunks if there is none. */
  #chunkEndingAtOrAfter(text: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const last = present(this.#chunks[middle]?.at(-1), 'text in a chunk');
      if (last < text) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** The index of the first text that is this one or comes after it. */
function placeOf(chunk: readonly string[], text: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (present(chunk[middle], 'text in a chunk') < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
