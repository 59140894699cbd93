// Comparisons that throw InvariantError and name both values. They build no text unless they fail, because they run with every command.
import { InvariantError } from '../model/assert.ts';

export type Compared = number | bigint | string | boolean | object | null | undefined;

function shown(value: Compared): string {
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

/** @param what that must hold */
export function equal(found: Compared, due: Compared, what: string): void {
  if (found !== due) {
    throw new InvariantError(`invariant broken: ${what}: found ${shown(found)}, due is ${shown(due)}`);
  }
}

export function atMost(found: number | bigint, most: number | bigint, what: string): void {
  // Written so that NaN fails as well.
  if (!(found <= most)) {
    throw new InvariantError(`invariant broken: ${what}: found ${found}, the most is ${most}`);
  }
}

export function atLeast(found: number | bigint, least: number | bigint, what: string): void {
  if (!(found >= least)) {
    throw new InvariantError(`invariant broken: ${what}: found ${found}, the least is ${least}`);
  }
}

/** @param subject the name or number of what the condition is about */
export function holds(condition: boolean, what: string, subject: Compared): asserts condition {
  if (!condition) {
    throw new InvariantError(`invariant broken: ${what}: ${shown(subject)}`);
  }
}
