// Decompresses the records of a batch with code that the agent does not share: Node's own zlib, and decoders of LZ4 and Snappy written from
// their formats' descriptions. The agent's figures can be compared with theirs.
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

/** The lowest bits of a batch's attributes. */
const CODEC_MASK = 7;

const decompressors = new Map<number, (section: Buffer) => Buffer>([
  [0, (section) => section],
  [1, gunzipSync],
  [2, snappyDecompress],
  [3, lz4Decompress],
  [4, zstdDecompressSync],
]);

/** @throws Error for an unknown codec, and when the section is damaged */
export function decompress(attributes: number, section: Buffer): Buffer {
  const codec = attributes & CODEC_MASK;
  const decompressor = decompressors.get(codec);
  if (decompressor === undefined) {
    throw new Error(`There is no codec ${codec}`);
  }
  return decompressor(section);
}

/** Copies bytes that were just written, which may overlap with those that it writes. */
function copyBack(bytes: Buffer, at: number, distance: number, length: number): void {
  if (distance < 1 || distance > at || at + length > bytes.length) {
    throw new Error(`A copy of ${length} bytes from ${distance} bytes before ${at} leaves the output`);
  }
  for (let index = at; index < at + length; index += 1) {
    bytes[index] = bytes.readUInt8(index - distance);
  }
}

/** A raw block, as librdkafka and Go clients write it: Java's framing is not read. */
function snappyDecompress(section: Buffer): Buffer {
  let at = 0;
  const littleEndian = (bytes: number): number => {
    at += bytes;
    return section.readUIntLE(at - bytes, bytes);
  };
  let length = 0;
  for (let shift = 0, more = true; more; shift += 7) {
    const byte = littleEndian(1);
    length += (byte & 0x7f) * 2 ** shift;
    more = byte >= 0x80;
  }
  const output = Buffer.alloc(length);
  let written = 0;
  while (at < section.length) {
    const tag = littleEndian(1);
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const size = 1 + (high < 60 ? high : littleEndian(high - 59));
      written += section.copy(output, written, at, at + size);
      at += size;
    } else {
      const isShort = (tag & 3) === 1;
      const size = isShort ? 4 + (high & 7) : 1 + high;
      const distance = isShort ? ((tag >> 5) << 8) + littleEndian(1) : littleEndian((tag & 3) === 2 ? 2 : 4);
      copyBack(output, written, distance, size);
      written += size;
    }
  }
  if (written !== length) {
    throw new Error(`A Snappy block of ${length} bytes has ${written}`);
  }
  return output;
}

const LZ4_MAGIC = 0x184d2204;
const LZ4_STORED_BLOCK = 2 ** 31;
const LZ4_LARGEST_BLOCKS = [64 * 1024, 256 * 1024, 1024 * 1024, 4 * 1024 * 1024];

/** One frame of independent blocks, as Kafka's clients write it. */
function lz4Decompress(section: Buffer): Buffer {
  const flags = section.readUInt8(4);
  const [hasBlockChecksums, hasContentSize] = [(flags & 0x10) !== 0, (flags & 0x08) !== 0];
  const blockBytes = LZ4_LARGEST_BLOCKS[((section.readUInt8(5) >> 4) & 7) - 4];
  if (section.readUInt32LE(0) !== LZ4_MAGIC || blockBytes === undefined) {
    throw new Error('Not an LZ4 frame');
  }
  const blocks: Buffer[] = [];
  // Magic, flags, block size, perhaps the content's size, the header's checksum.
  for (let at = hasContentSize ? 15 : 7; ; ) {
    const word = section.readUInt32LE(at);
    if (word === 0) {
      return Buffer.concat(blocks);
    }
    const size = word % LZ4_STORED_BLOCK;
    const block = section.subarray(at + 4, at + 4 + size);
    blocks.push(word >= LZ4_STORED_BLOCK ? block : lz4Block(block, blockBytes));
    at += 4 + size + (hasBlockChecksums ? 4 : 0);
  }
}

function lz4Block(block: Buffer, mostBytes: number): Buffer {
  const output = Buffer.alloc(mostBytes);
  let [at, written] = [0, 0];
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; ) {
      byte = block.readUInt8(at);
      at += 1;
      length += byte;
    }
    return length;
  };
  while (at < block.length) {
    const token = block.readUInt8(at);
    at += 1;
    const literals = lengthFrom(token >> 4);
    written += block.copy(output, written, at, at + literals);
    at += literals;
    // The last sequence has literals alone.
    if (at < block.length) {
      const distance = block.readUInt16LE(at);
      at += 2;
      const length = 4 + lengthFrom(token & 15);
      copyBack(output, written, distance, length);
      written += length;
    }
  }
  return output.subarray(0, written);
}
