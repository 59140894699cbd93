// What every call of the public API goes through: request id, rate limit, API key where required, and errors as problem
// details.
import {
  type ApiKeyPrincipal,
  authenticateApiKey,
  authenticateScimToken,
  bearerToken,
  type ScimPrincipal,
} from '@penstock/identity';
import { isUuid, newId, RateLimiter, type RateVerdict } from '@penstock/platform';
import { addressNetwork, clientAddress } from '@penstock/platform/client-address';
import type { Backend } from '../backend.ts';
import { sharedLimits } from '../trpc/limit-calls.ts';
import { type RestRequest, type RestResponse, targetOf } from './exchange.ts';
import { KnownCredentials } from './known-credentials.ts';
import { HttpRefusal, problemResponse } from './problem.ts';

/** A call that is within its quota. */
export interface OpenCall {
  request: RestRequest;
  /** The path, not decoded. */
  path: string;
  query: URLSearchParams;
  address: string;
  now: Date;
}

/** A call with a valid API key. */
export interface Call extends OpenCall {
  key: ApiKeyPrincipal;
  /** The secret itself, for deriving keys. Never store or log it. */
  plaintext: string;
}

const WINDOW_MS = 60_000;
/** Requests without a valid key, by network address. */
const UNAUTHENTICATED_PER_WINDOW = 120;
/** Requests to endpoints that need no key, by network address. */
const OPEN_PER_WINDOW = 120;

interface Limiters {
  keys: RateLimiter;
  scim: RateLimiter;
  unauthenticated: RateLimiter;
  open: RateLimiter;
  /** Credentials that a flood of wrong ones from their network does not hold up. */
  known: KnownCredentials;
}

const limiters = new WeakMap<Backend, Limiters>();

function limitersOf(backend: Backend): Limiters {
  const known = limiters.get(backend);
  if (known !== undefined) {
    return known;
  }
  const options = sharedLimits(backend);
  const made = {
    keys: new RateLimiter('api', backend.apiRequestsPerMinute, WINDOW_MS, options),
    scim: new RateLimiter('scim', backend.apiRequestsPerMinute, WINDOW_MS, options),
    unauthenticated: new RateLimiter('unauthenticated-api', UNAUTHENTICATED_PER_WINDOW, WINDOW_MS, options),
    open: new RateLimiter('tco', OPEN_PER_WINDOW, WINDOW_MS, options),
    known: new KnownCredentials(),
  };
  limiters.set(backend, made);
  return made;
}

/** The caller's own request id if it is a UUID, so that both sides' logs match. */
function requestIdOf(headers: RestRequest['headers']): string {
  const brought = headers.get('x-request-id') ?? '';
  return isUuid(brought) ? brought.toLowerCase() : newId();
}

/** Counts a request and returns the headers that report the remaining quota. */
async function count(limiter: RateLimiter, caller: string, now: Date): Promise<RateVerdict['headers']> {
  const verdict = await limiter.take(caller, now.getTime());
  if (!verdict.allowed) {
    throw tooMany(verdict);
  }
  return verdict.headers;
}

function tooMany({ headers }: RateVerdict): HttpRefusal {
  return new HttpRefusal(429, 'rate_limited', 'Wait for the number of seconds in Retry-After, then retry.', {
    headers: { ...headers },
  });
}

/**
 * Authenticates a call. Once a network has used up its failures, only credentials that were good lately are looked up.
 * @throws HttpRefusal 429, or what `authenticate` throws
 */
async function withinFailures<T>(
  { unauthenticated, known }: Limiters,
  { request, address, now }: OpenCall,
  addHeaders: AddHeaders,
  authenticate: () => Promise<T>,
): Promise<T> {
  const network = addressNetwork(address);
  const credential = request.headers.get('authorization') ?? '';
  const exhausted = unauthenticated.exhausted(network, now.getTime());
  if (exhausted !== undefined && !known.has(credential)) {
    throw tooMany(exhausted);
  }
  try {
    const principal = await authenticate();
    known.add(credential);
    return principal;
  } catch (error) {
    known.remove(credential);
    addHeaders(await count(unauthenticated, network, now));
    throw error;
  }
}

/** Adds headers to every response from here on, including refusals. */
type AddHeaders = (headers: Readonly<Record<string, string>>) => void;

/** The response to a failed call, whatever was thrown. */
type Refuse = (error: unknown, requestId: string) => RestResponse;

const asProblem =
  (backend: Backend, pointerOf: (field: string) => string): Refuse =>
  (error, requestId) =>
    problemResponse(error, requestId, backend.logger, pointerOf);

async function answerAny(
  backend: Backend,
  request: RestRequest,
  refuse: Refuse,
  work: (call: OpenCall, addHeaders: AddHeaders) => Promise<RestResponse>,
): Promise<RestResponse> {
  const requestId = requestIdOf(request.headers);
  const headers: Record<string, string> = { 'x-request-id': requestId, 'cache-control': 'private, no-store' };
  let response: RestResponse;
  try {
    const address = clientAddress(request.headers, backend.trustedProxies);
    const call = { request, ...targetOf(request), address, now: new Date() };
    response = await work(call, (more) => Object.assign(headers, more));
  } catch (error) {
    response = refuse(error, requestId);
  }
  // A response's own headers take precedence.
  return { ...response, headers: { ...headers, ...response.headers } };
}

/**
 * Answers a call that requires an API key. Never throws.
 * @param pointerOf where in the request an input is; for errors
 */
export function answerCall(
  backend: Backend,
  request: RestRequest,
  work: (call: Call) => Promise<RestResponse>,
  pointerOf: (field: string) => string,
): Promise<RestResponse> {
  return answerAny(backend, request, asProblem(backend, pointerOf), async (call, addHeaders) => {
    const limits = limitersOf(backend);
    const opened = await withinFailures(limits, call, addHeaders, () => authenticate(backend, request, call));
    addHeaders(await count(limits.keys, opened.key.apiKeyId, call.now));
    return work({ ...call, ...opened });
  });
}

/**
 * Answers a call of an identity provider, which has a token of its own. Never throws.
 * @param refuse makes the response to a failed call
 */
export function answerScimCall(
  backend: Backend,
  request: RestRequest,
  work: (call: OpenCall, principal: ScimPrincipal) => Promise<RestResponse>,
  refuse: Refuse,
): Promise<RestResponse> {
  return answerAny(backend, request, refuse, async (call, addHeaders) => {
    const limits = limitersOf(backend);
    const principal = await withinFailures(limits, call, addHeaders, () =>
      authenticateScim(backend, request, call.now),
    );
    addHeaders(await count(limits.scim, principal.tokenId, call.now));
    return work(call, principal);
  });
}

async function authenticateScim({ accounts }: Backend, request: RestRequest, now: Date): Promise<ScimPrincipal> {
  return authenticateScimToken(accounts, bearerToken(request.headers), now);
}

async function authenticate(backend: Backend, request: RestRequest, call: { now: Date; address: string }) {
  const plaintext = bearerToken(request.headers);
  return {
    plaintext,
    key: await authenticateApiKey({ database: backend.accounts, reads: backend.reads }, plaintext, call),
  };
}

/** Answers a call that needs no key. Never throws. */
export function answerOpenCall(
  backend: Backend,
  request: RestRequest,
  work: (call: OpenCall) => Promise<RestResponse> | RestResponse,
): Promise<RestResponse> {
  return answerAny(
    backend,
    request,
    asProblem(backend, (field) => `#/${field}`),
    async (call, addHeaders) => {
      addHeaders(await count(limitersOf(backend).open, addressNetwork(call.address), call.now));
      return work(call);
    },
  );
}
