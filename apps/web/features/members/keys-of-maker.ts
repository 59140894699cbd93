// The API keys that end when a member leaves. Pure.

export interface MadeKey {
  id: string;
  name: string;
  createdBy: string | null;
  revokedAt: Date | null;
  expiresAt: Date | null;
}

/** The names of the active keys that the person created, and of those that were created with such a key. */
export function keysOfMaker(keys: readonly MadeKey[], userId: string, nowMs: number): string[] {
  const makers = new Set([userId]);
  let made: readonly MadeKey[] = [];
  for (;;) {
    const found = keys.filter(({ createdBy }) => createdBy !== null && makers.has(createdBy));
    if (found.length === made.length) {
      break;
    }
    made = found;
    for (const { id } of found) {
      makers.add(id);
    }
  }
  return made
    .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || expiresAt.getTime() > nowMs))
    .map(({ name }) => name);
}
