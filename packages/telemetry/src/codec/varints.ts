// Whole numbers in as few bytes as they need: unsigned LEB128, and zigzag for signed ones. Exact up to 2^53 - 1.

/** Thrown for bytes that are no encoded sample. */
export class MalformedSample extends Error {
  constructor(reason: string) {
    super(`not an encoded telemetry sample: ${reason}`);
    this.name = 'MalformedSample';
  }
}

export class VarintWriter {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  /** @param value a whole number from 0; one that is too large to be exact is written as the largest that is */
  unsigned(value: number): void {
    let rest = Math.min(value, Number.MAX_SAFE_INTEGER);
    this.#reserve(8);
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** @param value a whole number of at most 2^52 in magnitude; a larger one is cut to that */
  signed(value: number): void {
    const cut = Math.max(-LARGEST_SIGNED, Math.min(LARGEST_SIGNED, value));
    this.unsigned(cut < 0 ? -cut * 2 - 1 : cut * 2);
  }

  /** @param text ASCII, as names of stores are */
  text(text: string): void {
    this.unsigned(text.length);
    for (let index = 0; index < text.length; index += 1) {
      this.unsigned(text.charCodeAt(index) & 0x7f);
    }
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) {
      return;
    }
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const LARGEST_SIGNED = 2 ** 52 - 1;

export class VarintReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** @throws MalformedSample at the end of the bytes, or for a number beyond 2^53 - 1 */
  unsigned(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#bytes[this.#position];
      if (byte === undefined) {
        throw new MalformedSample('it ends too early');
      }
      this.#position += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        break;
      }
      scale *= 0x80;
    }
    if (!Number.isSafeInteger(value)) {
      throw new MalformedSample('a number is too large');
    }
    return value;
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    let text = '';
    for (let left = this.unsigned(); left > 0; left -= 1) {
      text += String.fromCharCode(this.unsigned());
    }
    return text;
  }
}
