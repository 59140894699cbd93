// A durable position as those outside of the journal remember it: with the history that it belongs to.
import type { JournalPosition } from '../position.ts';

const HASH_HEX_DIGITS = 64;
const PATTERN = new RegExp(`^(\\d{1,9})\\.(\\d{1,15})-([0-9a-f]{${HASH_HEX_DIGITS}})$`);

/** What agents and processes bear witness to: this entry was durable. */
export interface WitnessedPosition extends JournalPosition {
  /** How many losses of a tail had been accepted when it was durable. Positions of earlier histories prove nothing any more. */
  readonly history: number;
}

/** As it travels in headers and messages: `<history>.<seq>-<hash in hex>`. Higher history first, then higher seq, is newer. */
export function formatWitnessed({ history, seq, hash }: WitnessedPosition): string {
  return `${history}.${seq}-${Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')}`;
}

/** Undefined when the text is no such position. */
export function parseWitnessed(text: string): WitnessedPosition | undefined {
  const match = PATTERN.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, history, seq, hash] = match;
  return { history: Number(history), seq: Number(seq), hash: Buffer.from(hash ?? '', 'hex') };
}
