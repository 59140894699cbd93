// An entry that changes nothing, for callers that must append to a journal without knowing the state.
import { decodeEntry, encodeEntry } from './entry.ts';

/**
 * Encodes an entry without commands that follows the entry `previous`. It has the same rules, which a replay compares, and never an earlier
 * time.
 * @param nowMs the time of the journal's database
 * @throws CorruptDataError when `previous` is damaged
 */
export function encodeFenceEntry(previous: Uint8Array, nowMs: number): Uint8Array {
  const last = decodeEntry(previous);
  return encodeEntry({ nowMs: Math.max(nowMs, last.nowMs), rules: last.rules, commands: [] });
}
