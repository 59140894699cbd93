// Sends one HTTP POST to a customer's URL, protected against SSRF. It resolves the name once, checks every address and
// connects only to a checked one, so DNS rebinding has no effect. It does not follow redirects or read the response
// body.
import { type LookupAddress, lookup as resolve } from 'node:dns';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { WebhookPolicy } from './outbound-policy.ts';
import { hostOf, mayConnect } from './webhook-url.ts';

export interface WebhookPost {
  url: URL;
  body: string;
  headers: Record<string, string>;
}

/** The outcome. `reason` names neither the URL nor anything from the response except its status. */
export type WebhookOutcome = { isDelivered: true } | { isDelivered: false; reason: string };

/** Resolves a name to all of its addresses. `node:dns`, except in tests. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void;

const TIMEOUT_MS = 10_000;

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

export const resolveAll: Resolve = (hostname, done) => resolve(hostname, { all: true }, done);

/** A lookup function for sockets. It returns an address only if every address of the name is allowed. */
export function guardedLookup(policy: WebhookPolicy, resolveName: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolveName(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) {
        return done(error, '');
      }
      if (first === undefined) {
        return done(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      }
      if (!addresses.every(({ address }) => mayConnect(address, policy))) {
        return done(new AddressRefused(), '');
      }
      return options.all === true ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

const reasonOfCode: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'its host name resolves to a private network',
  ENOTFOUND: 'its host name doesn’t resolve',
  EAI_AGAIN: 'its host name doesn’t resolve',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'it is unreachable',
  ENETUNREACH: 'it is unreachable',
  ETIMEDOUT: 'it timed out',
  CERT_HAS_EXPIRED: 'its TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its TLS certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its TLS certificate is for another name',
};

export function reasonOf(error: unknown): string {
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return `it did not respond within ${TIMEOUT_MS / 1000} s`;
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return (typeof code === 'string' ? reasonOfCode[code] : undefined) ?? 'the call failed';
}

/** Sends the request. Never throws because of the receiver. Any status from 200 to 299 counts as delivered. */
export async function postWebhook(
  { url, body, headers }: WebhookPost,
  policy: WebhookPolicy,
  resolveName: Resolve = resolveAll,
): Promise<WebhookOutcome> {
  const host = hostOf(url);
  // A socket does not call `lookup` for an IP address.
  if (isIP(host) !== 0 && !mayConnect(host, policy)) {
    return { isDelivered: false, reason: 'it is a private address' };
  }
  const send = url.protocol === 'https:' ? requestTls : requestPlain;
  try {
    const status = await new Promise<number>((done, fail) => {
      const request = send(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        // Uses its own connection: a pooled one was checked for another name.
        agent: false,
        lookup: guardedLookup(policy, resolveName),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        maxHeaderSize: 16_384,
      });
      request.once('error', fail);
      request.once('response', (response: IncomingMessage) => {
        done(response.statusCode ?? 0);
        response.destroy();
      });
      request.end(body);
    });
    if (status >= 200 && status < 300) {
      return { isDelivered: true };
    }
    const isRedirect = status >= 300 && status < 400;
    return {
      isDelivered: false,
      reason: `it returned ${status}${isRedirect ? ', and we don’t follow redirects' : ''}`,
    };
  } catch (error) {
    return { isDelivered: false, reason: reasonOf(error) };
  }
}
