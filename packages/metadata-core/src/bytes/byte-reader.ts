// Reads bytes: those of ByteWriter, and messages of Kafka. Never reads past the end, and never allocates more than the bytes could hold.
import { CorruptDataError } from '../model/corrupt-data-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) {
      throw new CorruptDataError('the data ends too early');
    }
    this.#at += 1;
    return value;
  }

  unsigned(): number {
    let byte = this.byte();
    if (byte < 0x80) {
      return byte;
    }
    let value = byte & 0x7f;
    let scale = 128;
    do {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (value > Number.MAX_SAFE_INTEGER) {
        throw new CorruptDataError('an integer is beyond 2^53');
      }
    } while (byte >= 0x80);
    return value;
  }

  signed(): number {
    const first = this.byte();
    const magnitude = (first & 0x3f) + (first >= 0x80 ? this.unsigned() * 64 : 0);
    if (magnitude > Number.MAX_SAFE_INTEGER) {
      throw new CorruptDataError('an integer is beyond 2^53');
    }
    return (first & 0x40) === 0 ? magnitude : -magnitude - 1;
  }

  /** Returns a copy, which does not keep the source's memory alive. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.raw(this.unsigned());
  }

  raw(length: number): Uint8Array<ArrayBuffer> {
    if (length > this.remaining) {
      throw new CorruptDataError('the data ends too early');
    }
    const value = new Uint8Array(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    return value;
  }

  /** Returns a view of the next bytes, not a copy. */
  view(length: number): Uint8Array {
    if (length > this.remaining) {
      throw new CorruptDataError('the data ends too early');
    }
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const length = this.unsigned();
    if (length > this.remaining) {
      throw new CorruptDataError('the data ends too early');
    }
    const start = this.#at;
    this.#at += length;
    try {
      return decoder.decode(this.#bytes.subarray(start, this.#at));
    } catch (cause) {
      throw new CorruptDataError('a text is not UTF-8', { cause });
    }
  }

  uint32(): number {
    const bytes = [this.byte(), this.byte(), this.byte(), this.byte()];
    return bytes.reduceRight((value, byte) => value * 256 + byte, 0);
  }

  /** Two bytes, big-endian, as in Kafka's protocol. */
  int16(): number {
    const at = this.view(2);
    return new DataView(at.buffer, at.byteOffset, 2).getInt16(0);
  }

  /** Four bytes, big-endian, as in Kafka's protocol. */
  int32(): number {
    const at = this.view(4);
    return new DataView(at.buffer, at.byteOffset, 4).getInt32(0);
  }

  /** Reads the number of items of a list, each of at least `minItemBytes` (at least 1). A number that cannot fit is corrupt. */
  count(minItemBytes = 1): number {
    const count = this.unsigned();
    if (count * minItemBytes > this.remaining) {
      throw new CorruptDataError('a list is longer than the data');
    }
    return count;
  }

  /** Checks that everything was read. */
  end(): void {
    if (this.remaining !== 0) {
      throw new CorruptDataError(`${this.remaining} bytes too many`);
    }
  }
}
