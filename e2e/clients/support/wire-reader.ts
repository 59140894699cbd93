// Reads responses of the raw client, in non-flexible and flexible versions.

/** Reads a response from front to back. */
export class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  int16(): number {
    this.#at += 2;
    return this.#bytes.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  int64(): number {
    this.#at += 8;
    return Number(this.#bytes.readBigInt64BE(this.#at - 8));
  }

  /** Reads bytes; an empty buffer for null. */
  bytes(length: number): Buffer {
    this.#at += Math.max(0, length);
    return this.#bytes.subarray(this.#at - Math.max(0, length), this.#at);
  }

  string(): string {
    return this.bytes(this.int16()).toString();
  }

  array<T>(read: () => T): T[] {
    return Array.from({ length: Math.max(0, this.int32()) }, read);
  }

  /** Reads the length of a string or array in a flexible version; -1 for null. For lengths below 127. */
  compactLength(): number {
    return (this.bytes(1)[0] ?? 0) - 1;
  }

  compactString(): string {
    return this.bytes(this.compactLength()).toString();
  }

  compactArray<T>(read: () => T): T[] {
    return Array.from({ length: Math.max(0, this.compactLength()) }, read);
  }
}
