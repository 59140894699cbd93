// An entry that changes nothing, for whoever must follow on a journal without knowing the state behind it.
import { decodeEntry, encodeEntry } from './entry.ts';

/**
 * An entry without commands behind the entry `previous`: under the same rules, which a replay holds it against, and never earlier.
 * @param nowMs the time of the journal's database
 * @throws CorruptDataError when `previous` is damaged
 */
export function encodeFenceEntry(previous: Uint8Array, nowMs: number): Uint8Array {
  const last = decodeEntry(previous);
  return encodeEntry({ nowMs: Math.max(nowMs, last.nowMs), rules: last.rules, commands: [] });
}
