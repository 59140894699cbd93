// CRC-32 (ISO 3309, polynomial 0xEDB88320), eight bytes at a time by the slicing method.
import { byteAt, int32At } from '../model/checked.ts';

const SLICES = 8;

/** The tables of all slices, concatenated: table k gives the effect of a byte on the checksum k bytes later. */
const TABLES = buildTables();

function buildTables(): Int32Array {
  const tables = new Int32Array(SLICES * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let slice = 0; slice < SLICES; slice += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
      }
      tables[slice * 256 + byte] = value;
    }
  }
  return tables;
}

/** The effect of a word's four bytes on the checksum; the first of them is `slice` bytes before the end. */
function folded(word: number, slice: number): number {
  const last = slice * 256;
  return (
    int32At(TABLES, last + 768 + (word & 0xff)) ^
    int32At(TABLES, last + 512 + ((word >>> 8) & 0xff)) ^
    int32At(TABLES, last + 256 + ((word >>> 16) & 0xff)) ^
    int32At(TABLES, last + (word >>> 24))
  );
}

/** The checksum of some bytes, 0 to 2^32 - 1. `before`: the checksum of the bytes before them. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = before ^ -1;
  let at = 0;
  for (const end = bytes.length - SLICES; at <= end; at += SLICES) {
    crc = folded(crc ^ view.getInt32(at, true), 4) ^ folded(view.getInt32(at + 4, true), 0);
  }
  for (; at < bytes.length; at += 1) {
    crc = int32At(TABLES, (crc ^ byteAt(bytes, at)) & 0xff) ^ (crc >>> 8);
  }
  return (crc ^ -1) >>> 0;
}
