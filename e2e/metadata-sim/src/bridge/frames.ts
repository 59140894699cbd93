// The frames on standard input and output: u32 length of the rest, u32 length of the header, header (JSON), body. Big-endian.

export interface Frame {
  header: Readonly<Record<string, unknown>>;
  body: Uint8Array;
}

const WORD_BYTES = 4;

export function encodeFrame({ header, body }: Frame): Buffer {
  const text = Buffer.from(JSON.stringify(header));
  const frame = Buffer.allocUnsafe(2 * WORD_BYTES + text.length + body.length);
  frame.writeUInt32BE(WORD_BYTES + text.length + body.length, 0);
  frame.writeUInt32BE(text.length, WORD_BYTES);
  frame.set(text, 2 * WORD_BYTES);
  frame.set(body, 2 * WORD_BYTES + text.length);
  return frame;
}

/** Finds the frames in bytes that arrive in pieces of any size. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the frames that are complete now. @throws Error when the bytes are no frames */
  push(bytes: Uint8Array): Frame[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    let at = 0;
    while (this.#rest.length >= at + WORD_BYTES) {
      const end = at + WORD_BYTES + this.#rest.readUInt32BE(at);
      if (this.#rest.length < end) {
        break;
      }
      frames.push(decodeFrame(this.#rest.subarray(at + WORD_BYTES, end)));
      at = end;
    }
    this.#rest = this.#rest.subarray(at);
    return frames;
  }
}

/** @param rest the frame without its length */
function decodeFrame(rest: Buffer): Frame {
  const bodyAt = rest.length < WORD_BYTES ? Number.POSITIVE_INFINITY : WORD_BYTES + rest.readUInt32BE(0);
  if (bodyAt > rest.length) {
    throw new Error(`a frame of ${rest.length} bytes is shorter than its header says`);
  }
  const header: unknown = JSON.parse(rest.toString('utf8', WORD_BYTES, bodyAt));
  if (typeof header !== 'object' || header === null) {
    throw new Error('the header of a frame is a JSON object');
  }
  return { header: header as Frame['header'], body: rest.subarray(bodyAt) };
}
