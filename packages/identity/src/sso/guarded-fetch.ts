// A fetch for URLs that an organization's OpenID provider names, protected against SSRF. As with webhooks, it checks
// every address of a name and connects only to a checked one. It does not follow redirects, and limits the size and
// time of a response.
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { isIP } from 'node:net';
import { AppError } from '@penstock/platform';
import {
  guardedLookup,
  hostOf,
  isLoopbackAddress,
  mayConnect,
  mayUsePort,
  reasonOf,
  resolveAll,
  type WebhookPolicy,
} from '@penstock/tenancy';

const TIMEOUT_MS = 10_000;
/** A provider's keys and metadata are a few kilobytes. */
const MAX_ANSWER_BYTES = 512 * 1024;

export interface GuardedRequest {
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

function refused(message: string): AppError {
  return new AppError({
    kind: 'refused',
    code: 'sso_provider_unreachable',
    message,
    remedy: 'Check the issuer URL and make sure it is reachable from the internet.',
  });
}

/** Whether we may call a URL or redirect a browser to it: https on an allowed port, or this machine in embedded mode. */
export function isSafeUrl(url: URL, policy: WebhookPolicy): boolean {
  if (url.username !== '' || url.password !== '') {
    return false;
  }
  const host = hostOf(url);
  if ((isIP(host) !== 0 && !mayConnect(host, policy)) || !mayUsePort(url, host, policy)) {
    return false;
  }
  if (url.protocol === 'https:') {
    return true;
  }
  return url.protocol === 'http:' && policy.isLoopbackAllowed && (host === 'localhost' || isLoopbackAddress(host));
}

/** @throws AppError `sso_provider_unreachable` */
export async function guardedFetch(
  url: URL,
  { method, headers, body }: GuardedRequest,
  policy: WebhookPolicy,
): Promise<Response> {
  if (!isSafeUrl(url, policy)) {
    throw refused('The provider uses an address that isn’t on the public internet.');
  }
  const send = url.protocol === 'https:' ? requestTls : requestPlain;
  try {
    return await new Promise<Response>((done, fail) => {
      const request = send(url, {
        method,
        headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        lookup: guardedLookup(policy, resolveAll),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        maxHeaderSize: 16_384,
      });
      request.once('error', fail);
      request.once('response', (response) => {
        const chunks: Buffer[] = [];
        let sizeBytes = 0;
        response.on('data', (chunk: Buffer) => {
          sizeBytes += chunk.byteLength;
          if (sizeBytes > MAX_ANSWER_BYTES) {
            response.destroy(new Error('The response is too large.'));
          } else {
            chunks.push(chunk);
          }
        });
        response.once('error', fail);
        response.once('end', () => {
          const contentType = response.headers['content-type'];
          const status = response.statusCode ?? 502;
          const hasBody = status >= 200 && status !== 204 && status !== 304;
          done(
            new Response(hasBody ? Buffer.concat(chunks) : null, {
              status: status >= 200 && status <= 599 ? status : 502,
              headers: contentType === undefined ? {} : { 'content-type': contentType },
            }),
          );
        });
      });
      request.end(body);
    });
  } catch (error) {
    throw refused(`We couldn’t reach the provider: ${reasonOf(error)}.`);
  }
}
