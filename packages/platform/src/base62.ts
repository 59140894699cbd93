// Text of digits and letters only, which survives URLs, shells and double clicks.
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The largest multiple of 62 in a byte. Higher bytes are discarded, so that every digit is equally likely. */
const FAIR_BYTES = 248;

/** Random digits, each with log2(62) = 5.95 bits. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < FAIR_BYTES && text.length < length) {
        text += ALPHABET.charAt(byte % 62);
      }
    }
  }
  return text;
}

/** A non-negative safe integer in base 62, padded with leading zeros to `length`. */
export function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text.padStart(length, '0');
}
