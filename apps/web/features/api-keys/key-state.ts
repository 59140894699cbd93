// The state of an API key in words. Pure.

export interface KeyTimes {
  revokedAt: Date | null;
  expiresAt: Date | null;
  replacedById: string | null;
}

export type KeyState = 'active' | 'replaced' | 'expired' | 'revoked';

/** `replaced`: the key was rotated and still works until its overlap ends. */
export function keyState(key: KeyTimes, nowMs: number): KeyState {
  if (key.revokedAt !== null) {
    return 'revoked';
  }
  if (key.expiresAt !== null && key.expiresAt.getTime() <= nowMs) {
    return 'expired';
  }
  return key.replacedById === null ? 'active' : 'replaced';
}
