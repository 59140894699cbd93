// Exact sizes and the exact conversion that billing relies on. Formatted text is in binary-bytes.ts.

/** 1 KiB in bytes (IEC 80000-13). */
export const KIB_BYTES = 1024;
/** 1 MiB in bytes. */
export const MIB_BYTES = 1024 ** 2;
/** 1 GiB in bytes: the unit of Penstock's fee. */
export const GIB_BYTES = 1024 ** 3;
/** 1 TiB in bytes. */
export const TIB_BYTES = 1024 ** 4;
/** 1 kB in bytes (SI). */
export const KB_BYTES = 1000;
/** 1 MB in bytes. */
export const MB_BYTES = 1000 ** 2;
/** 1 GB in bytes: the unit in which clouds price storage and network. */
export const GB_BYTES = 1000 ** 3;
/** 1 TB in bytes. */
export const TB_BYTES = 1000 ** 4;

/**
 * Bytes as an exact decimal number of GiB, without rounding: 2^-30 has a finite decimal expansion of 30 digits. Bills multiply this by a
 * price and round once, on the invoice line.
 */
export function exactGib(bytes: bigint): string {
  const sign = bytes < 0n ? '-' : '';
  const magnitude = bytes < 0n ? -bytes : bytes;
  const gib = BigInt(GIB_BYTES);
  const whole = magnitude / gib;
  // rest / 2^30 == rest * 5^30 / 10^30
  const fraction = ((magnitude % gib) * 5n ** 30n).toString().padStart(30, '0').replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}
