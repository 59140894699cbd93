// Adds up what journal entries say was accepted, each entry once and in order, as the worker's fold does.
import { decodeEntryHead } from '@penstock/metadata-core';

export class Meter {
  #uncompressedBytes = 0n;
  #lastSeq = 0;

  get uncompressedBytes(): bigint {
    return this.#uncompressedBytes;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  fold(seq: number, bytes: Uint8Array): void {
    this.#uncompressedBytes += BigInt(decodeEntryHead(bytes).meter.uncompressedBytes);
    this.#lastSeq = seq;
  }
}
