// Results of commands about security.

import { ErrorCode } from '../model/error-code.ts';
import type { Security } from '../model/security.ts';
import type { ErrorResult } from '../model/security.types.ts';

export const ACCEPTED: Readonly<ErrorResult> = { errorCode: ErrorCode.NONE, errorMessage: '' };

/** Increments the version after a change. */
export function advance(security: Security): void {
  security.version += 1;
}

/** A name within a message; long ones are shortened. */
export function quoted(name: string): string {
  return `'${name.length > 100 ? `${name.slice(0, 100)}...` : name}'`;
}
