// Whether an API key opens, in words. Pure.

export interface KeyTimes {
  revokedAt: Date | null;
  expiresAt: Date | null;
  replacedById: string | null;
}

export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked';

/** `replaced`: a rotation made a new key, and this one still opens until its overlap is over. */
export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAt !== null) {
    return 'revoked';
  }
  if (key.expiresAt !== null && key.expiresAt.getTime() <= nowMs) {
    return 'expired';
  }
  return key.replacedById === null ? 'active' : 'replaced';
}
