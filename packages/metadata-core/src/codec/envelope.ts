// The envelope of every persisted record: a version byte before it, and a CRC-32 of everything after it.

import { ByteReader } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { crc32 } from './crc32.ts';

const CRC_BYTES = 4;

/** Encodes the version, the body and the checksum. */
export function seal(version: number, writeBody: (to: ByteWriter) => void, expectedBytes?: number): Uint8Array {
  const to = new ByteWriter(expectedBytes);
  to.byte(version);
  writeBody(to);
  to.uint32(crc32(to.written()));
  return to.written();
}

/** Reads a complete body of any version up to the newest. @throws CorruptDataError */
export function open<T>(
  what: string,
  newestVersion: number,
  bytes: Uint8Array,
  readBody: (from: ByteReader, version: number) => T,
): T {
  if (bytes.length < 1 + CRC_BYTES) {
    throw new CorruptDataError(`${what}: ${bytes.length} bytes are too few`);
  }
  const covered = bytes.subarray(0, bytes.length - CRC_BYTES);
  if (new ByteReader(bytes.subarray(covered.length)).uint32() !== crc32(covered)) {
    throw new CorruptDataError(`${what}: the checksum is wrong`);
  }
  const from = new ByteReader(covered);
  const version = from.byte();
  if (version < 1 || version > newestVersion) {
    throw new CorruptDataError(`${what}: version ${version} is not one of 1 to ${newestVersion}, which are known here`);
  }
  const value = readBody(from, version);
  from.end();
  return value;
}
