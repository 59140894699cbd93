// A change requested twice with the same Idempotency-Key happens once. The second request gets the first one's outcome.
import { AppError } from '@penstock/platform';
import { DAY_MS } from '@penstock/units';
import type { Scope } from '../access/scope.ts';

/** How long an outcome is kept. */
export const OUTCOME_AGE_MS = DAY_MS;

export interface IdempotentRequest {
  apiKeyId: string;
  /** The key that the caller sent. */
  key: string;
  /** A hash of the operation and its input. */
  requestHash: Uint8Array<ArrayBuffer>;
}

/** Encodes stored outcomes. They are encrypted, since an outcome may contain a new secret. */
export interface OutcomeCodec<T> {
  encode(outcome: T): Uint8Array<ArrayBuffer>;
  decode(bytes: Uint8Array): T;
}

/**
 * Claims the key in the transaction of the change. Concurrent requests wait at the primary key until the first one
 * commits (they get its outcome) or rolls back (the next one tries). Refusals are therefore never stored.
 * @throws AppError `idempotency_key_reused` when the key was already used with another request
 */
export async function runOnce<T>(
  scope: Scope,
  request: IdempotentRequest,
  codec: OutcomeCodec<T>,
  change: () => Promise<T>,
): Promise<T> {
  const { tx, organizationId, now } = scope;
  const { apiKeyId, key, requestHash } = request;
  const id = { apiKeyId_key: { apiKeyId, key } };
  const claimed = await tx.$executeRaw`
    INSERT INTO idempotency_key (organization_id, api_key_id, key, request_hash, created_at)
    VALUES (${organizationId}, ${apiKeyId}::uuid, ${key}, ${requestHash}, ${now})
    ON CONFLICT DO NOTHING`;
  if (claimed === 1) {
    const outcome = await change();
    await tx.idempotencyKey.update({ where: id, data: { outcome: codec.encode(outcome) } });
    return outcome;
  }
  const kept = await tx.idempotencyKey.findUniqueOrThrow({ where: id });
  if (!Buffer.from(kept.requestHash).equals(requestHash)) {
    throw new AppError({
      kind: 'conflict',
      code: 'idempotency_key_reused',
      message: 'This Idempotency-Key was already used with a different request.',
      remedy: 'Use a new key for each request. Reuse a key only to retry the same request.',
    });
  }
  if (kept.outcome === null) {
    throw new Error('The outcome of a committed request is missing.');
  }
  return codec.decode(kept.outcome);
}
