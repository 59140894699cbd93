// The text form of an agent key: `psk_agent_<32 random>_<6 checksum>`. The checksum tells a typo from an unknown key
// without a database; the database holds only the hash.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';

const prefix = 'psk_agent_';
const randomLength = 32;
/** 62^6 exceeds 2^32, so a CRC-32 fits. */
const checksumLength = 6;
const pattern = /^psk_agent_([0-9A-Za-z]{32})_([0-9A-Za-z]{6})$/;

/** What may be shown of a key after its creation. */
export interface AgentKeyDisplay {
  prefix: string;
  last4: string;
}

export interface NewAgentKey {
  /** The secret itself: shown once, never stored, never logged. */
  plaintext: string;
  hash: Uint8Array<ArrayBuffer>;
  display: AgentKeyDisplay;
}

export type ParsedAgentKey =
  | { ok: true; hash: Uint8Array<ArrayBuffer>; display: AgentKeyDisplay }
  | { ok: false; reason: 'malformed' | 'checksum'; message: string };

function checksumOf(random: string): string {
  return toBase62(crc32(prefix + random), checksumLength);
}

function hashOf(plaintext: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(plaintext).digest());
}

/** The four characters before the checksum: the checksum would tell nothing apart. */
function displayOf(random: string): AgentKeyDisplay {
  return { prefix: prefix + random.slice(0, 4), last4: random.slice(-4) };
}

/** Makes a key of 190 random bits. */
export function generateAgentKey(): NewAgentKey {
  const random = randomBase62(randomLength);
  const plaintext = `${prefix}${random}_${checksumOf(random)}`;
  return { plaintext, hash: hashOf(plaintext), display: displayOf(random) };
}

/** Checks the form of a key. Whether such a key exists, only the database knows: look its hash up. */
export function parseAgentKey(text: string): ParsedAgentKey {
  const match = pattern.exec(text);
  const random = match?.[1];
  if (random === undefined) {
    return {
      ok: false,
      reason: 'malformed',
      message: `This is not an agent key: it should start with ${prefix} and be ${prefix.length + randomLength + 1 + checksumLength} characters long.`,
    };
  }
  if (match?.[2] !== checksumOf(random)) {
    return {
      ok: false,
      reason: 'checksum',
      message: 'The agent key has a typing error (its checksum does not fit). Copy it again in full.',
    };
  }
  return { ok: true, hash: hashOf(text), display: displayOf(random) };
}
