// What a SCRAM verifier must be. Kafka's org.apache.kafka.controller.ScramControlManager has the same rules for names, mechanisms and the
// fewest iterations.

import { ErrorCode } from '../model/error-code.ts';
import { MAX_SCRAM_ITERATIONS, MAX_SCRAM_SALT_BYTES, MAX_USER_CHARS, MIN_SCRAM_ITERATIONS } from '../model/limits.ts';
import type { AlterUserScramCredentials, ErrorResult } from '../model/security.types.ts';
import { quoted } from './results.ts';

/** The numbers of org.apache.kafka.clients.admin.ScramMechanism. */
export const ScramMechanism = { SHA_256: 1, SHA_512: 2 } as const;

/** The length of a mechanism's stored key and server key. */
const KEY_BYTES: ReadonlyMap<number, number> = new Map([
  [ScramMechanism.SHA_256, 32],
  [ScramMechanism.SHA_512, 64],
]);

/** Null when a user can have this name, and credentials of this mechanism exist. */
export function userProblem(user: string, mechanism: number): ErrorResult | null {
  if (user === '') {
    return unacceptable('The user name is empty.');
  }
  if (user.length > MAX_USER_CHARS) {
    return unacceptable(`The user name has more than ${MAX_USER_CHARS} characters.`);
  }
  if (!KEY_BYTES.has(mechanism)) {
    const errorMessage = `Unknown SCRAM mechanism ${mechanism}: use SCRAM-SHA-256 (1) or SCRAM-SHA-512 (2).`;
    return { errorCode: ErrorCode.UNSUPPORTED_SASL_MECHANISM, errorMessage };
  }
  return null;
}

/** Null when this verifier can be stored at this time. */
export function verifierProblem(
  upsert: AlterUserScramCredentials['upserts'][number],
  nowMs: number,
): ErrorResult | null {
  const { user, mechanism, salt, storedKey, serverKey, iterations, expiresAtMs } = upsert;
  const wrongUser = userProblem(user, mechanism);
  if (wrongUser !== null) {
    return wrongUser;
  }
  if (iterations < MIN_SCRAM_ITERATIONS || iterations > MAX_SCRAM_ITERATIONS) {
    return unacceptable(
      `${iterations} iterations: a credential has ${MIN_SCRAM_ITERATIONS} to ${MAX_SCRAM_ITERATIONS} iterations.`,
    );
  }
  if (salt.length === 0 || salt.length > MAX_SCRAM_SALT_BYTES) {
    return unacceptable(`A salt of ${salt.length} bytes: it must have 1 to ${MAX_SCRAM_SALT_BYTES} bytes.`);
  }
  const keyBytes = KEY_BYTES.get(mechanism);
  if (storedKey.length !== keyBytes || serverKey.length !== keyBytes) {
    return unacceptable(`The stored key and the server key of this mechanism have ${keyBytes} bytes each.`);
  }
  if (expiresAtMs !== 0 && expiresAtMs <= nowMs) {
    return unacceptable(`The credential of ${quoted(user)} would already be expired: choose a later time, or none.`);
  }
  return null;
}

function unacceptable(errorMessage: string): ErrorResult {
  return { errorCode: ErrorCode.UNACCEPTABLE_CREDENTIAL, errorMessage };
}
