// The text form of our secrets: `<prefix><32 random>_<6 checksum>`. The checksum distinguishes a typo from an unknown
// key without the database, and lets secret scanners recognize leaked keys with certainty. The database stores only the
// hash.
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

const RANDOM_LENGTH = 32;
/** 62^6 exceeds 2^32, so a CRC-32 fits. */
const CHECKSUM_LENGTH = 6;

/** The parts of a key that may be shown after it was created. */
export interface KeyDisplay {
  prefix: string;
  last4: string;
}

export interface NewKey {
  /** The secret itself. Shown once, never stored or logged. */
  plaintext: string;
  hash: Uint8Array<ArrayBuffer>;
  display: KeyDisplay;
}

export type ParsedKey =
  | { ok: true; hash: Uint8Array<ArrayBuffer>; display: KeyDisplay }
  | { ok: false; reason: 'malformed' | 'checksum'; message: string };

export interface KeyForm {
  /** Generates a key with 190 random bits. */
  generate(): NewKey;
  /** The key with these random characters, for simulations: anybody can make it again. */
  of(random: string): NewKey;
  /** Checks the form of a key. To find out whether the key exists, look its hash up in the database. */
  parse(text: string): ParsedKey;
}

function hashOf(plaintext: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hash('sha256', plaintext, 'buffer'));
}

/**
 * The form of one kind of key.
 * @param prefix letters and underscores
 * @param noun with its article, for messages, e.g. `an agent key`
 */
export function keyForm(prefix: string, noun: string): KeyForm {
  const pattern = new RegExp(`^${prefix}([0-9A-Za-z]{${RANDOM_LENGTH}})_([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);
  const checksumOf = (random: string) => toBase62(crc32(prefix + random), CHECKSUM_LENGTH);
  /** The last four random characters, because a checksum would not help people distinguish keys. */
  const displayOf = (random: string) => ({ prefix: prefix + random.slice(0, 4), last4: random.slice(-4) });
  const keyOf = (random: string): NewKey => {
    const plaintext = `${prefix}${random}_${checksumOf(random)}`;
    return { plaintext, hash: hashOf(plaintext), display: displayOf(random) };
  };
  return {
    generate: () => keyOf(randomBase62(RANDOM_LENGTH)),
    of: keyOf,
    parse(text) {
      const match = pattern.exec(text);
      const random = match?.[1];
      if (random === undefined) {
        return {
          ok: false,
          reason: 'malformed',
          message: `This is not ${noun}. It must start with ${prefix} and have ${prefix.length + RANDOM_LENGTH + 1 + CHECKSUM_LENGTH} characters.`,
        };
      }
      if (match?.[2] !== checksumOf(random)) {
        return {
          ok: false,
          reason: 'checksum',
          message: `The ${noun.replace(/^an? /, '')} is incomplete or mistyped (its checksum doesn’t match). Copy the whole key again.`,
        };
      }
      return { ok: true, hash: hashOf(text), display: displayOf(random) };
    },
  };
}
