// What a client quota can be: Kafka's rules (org.apache.kafka.controller.ClientQuotaControlManager). Quotas of addresses and of
// controller mutations don't exist here.

import { ErrorCode } from '../model/error-code.ts';
import { MAX_CLIENT_ID_CHARS, MAX_USER_CHARS } from '../model/limits.ts';
import { QUOTA_KEYS, type QuotaKey } from '../model/security.ts';
import type { ErrorResult, QuotaAlteration } from '../model/security.types.ts';
import { quoted } from './results.ts';

/** Kafka accepts a rate that differs this much from a whole number. */
const EPSILON = 1e-6;

/** The key, if there are quotas of it. */
export function knownQuotaKey(key: string): QuotaKey | undefined {
  return QUOTA_KEYS.find((known) => known === key);
}

/** Null when the alteration can be applied to any state. */
export function alterationProblem({ user, clientId, ops }: QuotaAlteration): ErrorResult | null {
  if (user === null && clientId === null) {
    return invalid('The quota names neither a user nor a client id: name one of them, or the default of one.');
  }
  if ((user?.length ?? 0) > MAX_USER_CHARS || (clientId?.length ?? 0) > MAX_CLIENT_ID_CHARS) {
    const errorMessage = `A user has at most ${MAX_USER_CHARS} characters, and a client id ${MAX_CLIENT_ID_CHARS}.`;
    return { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage };
  }
  const named = new Set<string>();
  for (const { key, value } of ops) {
    if (named.has(key)) {
      return invalid(`The request alters ${quoted(key)} of this entity twice.`);
    }
    named.add(key);
    const problem = value === null ? null : valueProblem(key, value);
    if (problem !== null) {
      return problem;
    }
  }
  return null;
}

function valueProblem(key: string, value: number): ErrorResult | null {
  if (knownQuotaKey(key) === undefined) {
    return invalid(`There are no quotas of ${quoted(key)}: use ${QUOTA_KEYS.join(', ')}.`);
  }
  if (!Number.isFinite(value) || value <= 0) {
    return invalid(`${key} must be greater than 0. Remove the quota to lift the limit.`);
  }
  if (key !== 'request_percentage' && Math.abs(Math.trunc(value + EPSILON) - value) > EPSILON) {
    return invalid(`${key} must be a whole number of bytes per second.`);
  }
  return null;
}

function invalid(errorMessage: string): ErrorResult {
  return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage };
}
