// A growing buffer with the primitives of all records. Integers are variable-length, least significant byte first.
import { assert } from '../model/assert.ts';
import { columnAt } from '../model/checked.ts';

const INITIAL_BYTES = 256;
const encoder = new TextEncoder();

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(expectedBytes = INITIAL_BYTES) {
    this.#bytes = new Uint8Array(expectedBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far, as a view of the writer's memory. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      this.#reserve(1);
    }
    this.#bytes[this.#length] = value;
    this.#length += 1;
  }

  /** An integer from 0 to 2^53 - 1 in 1 to 8 bytes, 7 bits each. */
  unsigned(value: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    // Nearly all numbers are small: these two tests also prove that they are integers.
    if ((value & 0x7f) !== value && value >>> 0 !== value) {
      assert(value >= 0 && Number.isSafeInteger(value), 'an unsigned integer is 0 to 2^53 - 1');
      for (; rest > 0xffff_ffff; rest = Math.floor(rest / 128)) {
        bytes[at] = (rest % 128) | 0x80;
        at += 1;
      }
    }
    for (; rest > 0x7f; rest >>>= 7) {
      bytes[at] = (rest & 0x7f) | 0x80;
      at += 1;
    }
    bytes[at] = rest;
    this.#length = at + 1;
  }

  /** The integers of a column, each as `unsigned` writes it. No calls or iterators: those would allocate an object for most values. */
  unsigneds(column: Uint32Array | Float64Array): void {
    this.#reserve(8 * column.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < column.length; index += 1) {
      let rest = columnAt(column, index);
      if (rest >>> 0 !== rest) {
        assert(rest >= 0 && Number.isSafeInteger(rest), 'an unsigned integer is 0 to 2^53 - 1');
        for (; rest > 0xffff_ffff; rest = Math.floor(rest / 128)) {
          bytes[at] = (rest % 128) | 0x80;
          at += 1;
        }
      }
      for (; rest > 0x7f; rest >>>= 7) {
        bytes[at] = (rest & 0x7f) | 0x80;
        at += 1;
      }
      bytes[at] = rest;
      at += 1;
    }
    this.#length = at;
  }

  /** An integer from -(2^53 - 1) to 2^53 - 1. Bit 6 of the first byte is the sign; a negative n is stored as -n - 1. */
  signed(value: number): void {
    const negative = value < 0;
    const magnitude = negative ? -value - 1 : value;
    if ((magnitude & 0x3f) === magnitude) {
      this.byte(magnitude | (negative ? 0x40 : 0));
      return;
    }
    assert(Number.isSafeInteger(value), 'a signed integer is below 2^53');
    const rest = Math.floor(magnitude / 64);
    this.byte((magnitude % 64) | (negative ? 0xc0 : 0x80));
    this.unsigned(rest);
  }

  /** Length, then the bytes. */
  bytes(value: Uint8Array): void {
    this.unsigned(value.length);
    this.raw(value);
  }

  /** The bytes without a length. */
  raw(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Length in bytes, then UTF-8. */
  text(value: string): void {
    this.bytes(encoder.encode(value));
  }

  /** Writes four bytes, little-endian. */
  uint32(value: number): void {
    this.#reserve(4);
    for (let shift = 0; shift < 32; shift += 8) {
      this.#bytes[this.#length] = (value >>> shift) & 0xff;
      this.#length += 1;
    }
  }

  /** Two bytes, big-endian, as in Kafka's protocol. */
  int16(value: number): void {
    const at = this.claim(2);
    new DataView(at.buffer, at.byteOffset, 2).setInt16(0, value);
  }

  /** Four bytes, big-endian, as in Kafka's protocol. */
  int32(value: number): void {
    const at = this.claim(4);
    new DataView(at.buffer, at.byteOffset, 4).setInt32(0, value);
  }

  /** Overwrites four bytes that were written before, little-endian. */
  overwriteUint32(at: number, value: number): void {
    assert(at + 4 <= this.#length, 'what is overwritten was written');
    for (let byte = 0; byte < 4; byte += 1) {
      this.#bytes[at + byte] = (value >>> (byte * 8)) & 0xff;
    }
  }

  /** Reserves this many bytes. The caller fills them before anything else is written. */
  claim(count: number): Uint8Array {
    this.#reserve(count);
    const claimed = this.#bytes.subarray(this.#length, this.#length + count);
    this.#length += count;
    return claimed;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) {
      return;
    }
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
