// Wraps a program's change within its transaction: checks If-Match, and stores the outcome for its Idempotency-Key.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { AppError } from '@penstock/platform';
import { type OutcomeCodec, runOnce, type Scope } from '@penstock/tenancy';
import superjson from 'superjson';
import type { Route, RouteInput } from '../operation/route.ts';
import type { ApiCall } from '../trpc/context.ts';
import type { Call } from './answer-call.ts';
import { encodeJson, etagOf, isAmong } from './encode.ts';
import { HttpRefusal } from './problem.ts';

const keyPattern = /^[\x21-\x7e]{1,255}$/;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @throws HttpRefusal for an invalid header */
export function aroundChange(route: Route, call: Call, input: RouteInput): ApiCall['aroundChange'] {
  const idempotencyKey = route.method === 'post' ? call.request.headers.get('idempotency-key') : null;
  if (idempotencyKey !== null && !keyPattern.test(idempotencyKey)) {
    throw new HttpRefusal(
      400,
      'idempotency_key_malformed',
      'An Idempotency-Key must have 1 to 255 visible ASCII characters.',
    );
  }
  const ifMatch = call.request.headers.get('if-match');
  return async <T>(scope: Scope, change: () => Promise<T>): Promise<T> => {
    const expected = async () => {
      if (ifMatch !== null) {
        await requireMatch(route, scope, input, ifMatch);
      }
      return change();
    };
    if (idempotencyKey === null) {
      return expected();
    }
    const requestHash = hashOf(superjson.stringify([route.id, input]));
    const request = { apiKeyId: call.key.apiKeyId, key: idempotencyKey, requestHash };
    return runOnce(scope, request, sealedCodec<T>(call.plaintext, idempotencyKey), expected);
  };
}

function hashOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(text).digest());
}

async function requireMatch(route: Route, scope: Scope, input: RouteInput, ifMatch: string): Promise<void> {
  const { answer } = route;
  if (answer.kind !== 'one' || answer.current === undefined) {
    return;
  }
  const etag = etagOf(encodeJson(answer.object, await answer.current(scope, input)));
  if (isAmong(ifMatch, etag)) {
    return;
  }
  throw new AppError({
    kind: 'outdated',
    code: 'precondition_failed',
    message: 'This object has changed since you read it.',
    remedy: 'Read it again and send the change with the new ETag.',
  });
}

/** Outcomes may contain new secrets, so they are encrypted with a key that only the caller's own secret can derive. */
function sealedCodec<T>(secret: string, idempotencyKey: string): OutcomeCodec<T> {
  const key = new Uint8Array(hkdfSync('sha256', secret, idempotencyKey, 'penstock idempotency outcome', 32));
  return {
    encode(outcome) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce);
      const text = cipher.update(superjson.stringify(outcome), 'utf8');
      return new Uint8Array(Buffer.concat([nonce, text, cipher.final(), cipher.getAuthTag()]));
    },
    decode(bytes) {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return superjson.parse<T>(Buffer.concat([text, decipher.final()]).toString('utf8'));
    },
  };
}
