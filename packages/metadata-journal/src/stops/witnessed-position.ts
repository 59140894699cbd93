// A durable position together with its history, as agents and other processes remember it.
import type { JournalPosition } from '../position.ts';

const HASH_HEX_DIGITS = 64;
const PATTERN = new RegExp(`^(\\d{1,9})\\.(\\d{1,15})-([0-9a-f]{${HASH_HEX_DIGITS}})$`);

/** A witness's claim that this entry was durable. */
export interface WitnessedPosition extends JournalPosition {
  /** How many losses had been accepted when it was durable. Positions of earlier histories no longer prove anything. */
  readonly history: number;
}

/** The text form in headers and messages: `<history>.<seq>-<hash in hex>`. A higher history, then a higher seq, is newer. */
export function formatWitnessed({ history, seq, hash }: WitnessedPosition): string {
  return `${history}.${seq}-${Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('hex')}`;
}

/** Undefined when the text is not a position. */
export function parseWitnessed(text: string): WitnessedPosition | undefined {
  const match = PATTERN.exec(text);
  if (match === null) {
    return undefined;
  }
  const [, history, seq, hash] = match;
  return { history: Number(history), seq: Number(seq), hash: Buffer.from(hash ?? '', 'hex') };
}
