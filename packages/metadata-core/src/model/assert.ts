// Assertions of invariants. A failure means that the state machine itself is wrong: the owner stops instead of continuing.

export class InvariantError extends Error {
  override name = 'InvariantError';
}

/** Throws InvariantError unless the condition holds. Never used for input: refusals of input are values. */
export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) {
    throw new InvariantError(`invariant broken: ${what}`);
  }
}

/** Returns the value, which must be present. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) {
    throw new InvariantError(`invariant broken: no ${what}`);
  }
  return value;
}
