// What every call of the public API goes through: request id, rate limit, key, and errors as problem details.
import { type ApiKeyPrincipal, authenticateApiKey, bearerToken } from '@penstock/identity';
import { isUuid, newId, RateLimiter, type RateVerdict } from '@penstock/platform';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';
import type { Backend } from '../backend.ts';
import { type RestRequest, type RestResponse, targetOf } from './exchange.ts';
import { HttpRefusal, problemResponse } from './problem.ts';

/** A call whose key has been found to open. */
export interface Call {
  request: RestRequest;
  /** Undecoded. */
  path: string;
  query: URLSearchParams;
  requestId: string;
  key: ApiKeyPrincipal;
  /** The secret itself, to derive from; never to be kept or told. */
  plaintext: string;
  address: string;
  now: Date;
}

const window_ms = 60_000;
/** Requests without a key that opens, by network address: nobody needs many. */
const strangersPerWindow = 120;
const limiters = new WeakMap<Backend, { keys: RateLimiter; strangers: RateLimiter }>();

function limitersOf(backend: Backend) {
  const known = limiters.get(backend);
  if (known !== undefined) return known;
  const made = {
    keys: new RateLimiter('api', backend.apiRequestsPerMinute, window_ms),
    strangers: new RateLimiter('strangers', strangersPerWindow, window_ms),
  };
  limiters.set(backend, made);
  return made;
}

/** The caller's own id of the request, when it is one, so that both sides' logs meet. */
function requestIdOf(headers: RestRequest['headers']): string {
  const brought = headers.get('x-request-id') ?? '';
  return isUuid(brought) ? brought.toLowerCase() : newId();
}

function refuseTooMany(verdict: RateVerdict): HttpRefusal {
  return new HttpRefusal(429, 'rate_limited', 'Wait for the number of seconds in Retry-After, then retry.', {
    headers: { ...verdict.headers },
  });
}

/**
 * Answers a call, whatever happens.
 * @param pointerOf where in the request an input stands; for errors
 */
export async function answerCall(
  backend: Backend,
  request: RestRequest,
  work: (call: Call) => Promise<RestResponse>,
  pointerOf: (field: string) => string,
): Promise<RestResponse> {
  const requestId = requestIdOf(request.headers);
  const headers: Record<string, string> = { 'x-request-id': requestId, 'cache-control': 'private, no-store' };
  let response: RestResponse;
  try {
    const address = clientAddress(request.headers, backend.trustedProxies);
    const now = new Date();
    const { keys, strangers } = limitersOf(backend);
    const refuseStranger = (error: unknown): never => {
      const verdict = strangers.take(addressNetwork(address), now.getTime());
      if (!verdict.allowed) throw refuseTooMany(verdict);
      Object.assign(headers, verdict.headers);
      throw error;
    };
    const { key, plaintext } = await authenticate(backend, request, now).catch(refuseStranger);
    const verdict = keys.take(key.apiKeyId, now.getTime());
    if (!verdict.allowed) throw refuseTooMany(verdict);
    Object.assign(headers, verdict.headers);
    response = await work({ request, ...targetOf(request), requestId, key, plaintext, address, now });
  } catch (error) {
    response = problemResponse(error, requestId, backend.logger, pointerOf);
  }
  // What an answer says itself comes before what is said of every answer.
  return { ...response, headers: { ...headers, ...response.headers } };
}

async function authenticate(backend: Backend, request: RestRequest, now: Date) {
  const plaintext = bearerToken(request.headers);
  return { plaintext, key: await authenticateApiKey(backend, plaintext, now) };
}
