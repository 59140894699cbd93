// CRC-32 (ISO 3309, polynomial 0xEDB88320), four bytes at a time by the slicing method.

const TABLES: readonly Uint32Array[] = buildTables();

function buildTables(): Uint32Array[] {
  const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (const table of tables) {
      for (let bit = 0; bit < 8; bit += 1) {
        value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
      }
      table[byte] = value;
    }
  }
  return tables;
}

/** The checksum of some bytes, 0 to 2^32 - 1. */
export function crc32(bytes: Uint8Array): number {
  const [t0, t1, t2, t3] = TABLES as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  let crc = 0xffff_ffff;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    crc =
      (t3[crc & 0xff] ?? 0) ^ (t2[(crc >>> 8) & 0xff] ?? 0) ^ (t1[(crc >>> 16) & 0xff] ?? 0) ^ (t0[crc >>> 24] ?? 0);
  }
  for (; at < bytes.length; at += 1) {
    crc = (t0[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return (crc ^ 0xffff_ffff) >>> 0;
}
