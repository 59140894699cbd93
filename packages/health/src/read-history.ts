// Reads a stored history. Data at rules level 5 has zones and groups as properties of objects, by their names.
import type { History } from './model.ts';

/** Null if a later version wrote it, in another format. */
export function readHistory(stored: unknown): History | null {
  const { version, zones, groups, ...others } = stored as Record<string, unknown> & { version: number };
  if (version !== 1) {
    return null;
  }
  return { ...(others as unknown as History), version, zones: pairs(zones), groups: pairs(groups) };
}

function pairs<Value>(stored: unknown): (readonly [string, Value])[] {
  return (Array.isArray(stored) ? stored : Object.entries(stored ?? {})) as (readonly [string, Value])[];
}
