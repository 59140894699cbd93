// Counts requests by route, method and code, measures them, and writes the access log.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress } from '@penstock/platform/client-address';
import { Counts, Durations, type Family } from '@penstock/telemetry';
import { isStream, routeOf } from './request-route.ts';

const BOUNDS_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The code of nginx for a caller that did not wait. */
const CLIENT_CLOSED = '499';

export interface RequestMeterOptions {
  trustedProxies: readonly string[];
  monotonicMs: () => number;
  /** Writes a line of the access log; undefined if there is none. */
  writeAccess: ((line: AccessLine) => void) | undefined;
}

/** Nothing here is a secret: links in mails have their tokens in the query or below `/api/auth`, of which only the route is kept. */
export interface AccessLine {
  method: string;
  route: string;
  path: string | undefined;
  status: number;
  duration_ms: number;
  bytes: number | undefined;
  address: string;
}

export class RequestMeter {
  readonly #options: RequestMeterOptions;
  readonly #requests = new Counts(['route', 'method', 'code'] as const);
  readonly #durations = new Durations(['route'] as const, BOUNDS_SECONDS);
  #inProgress = 0;

  constructor(options: RequestMeterOptions) {
    this.#options = options;
  }

  /** Call it once the peer has been added to the forwarded addresses. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const { monotonicMs } = this.#options;
    const startMs = monotonicMs();
    const { method: sent = '', url = '', headers } = request;
    const path = url.split('?', 1)[0] ?? '';
    const method = METHODS.has(sent) ? sent : 'other';
    const route = routeOf({ method, path, accept: headers.accept ?? '' });
    const forwarded = headers['x-forwarded-for'];
    this.#inProgress += 1;
    response.once('close', () => {
      this.#inProgress -= 1;
      const seconds = (monotonicMs() - startMs) / 1_000;
      const code = response.writableFinished || isStream(route) ? String(response.statusCode) : CLIENT_CLOSED;
      this.#requests.add(route, method, code);
      if (!isStream(route)) {
        this.#durations.record(seconds, route);
      }
      this.#options.writeAccess?.({
        method,
        route,
        path: route === '/api/auth' ? undefined : path,
        status: Number(code),
        duration_ms: Math.round(seconds * 1_000),
        bytes: Number(response.getHeader('content-length') ?? Number.NaN) || undefined,
        address: clientAddress({ get: () => forwarded?.toString() ?? null }, this.#options.trustedProxies),
      });
    });
  }

  families(): Family[] {
    return [
      this.#requests.family(
        'penstock_web_requests',
        'Requests answered, by route, method and code; 499 if the caller left before the answer.',
      ),
      this.#durations.family(
        'penstock_web_request_seconds',
        'From the headers of a request to the end of its answer, without streams of live pages.',
      ),
      {
        name: 'penstock_web_requests_in_progress',
        type: 'gauge',
        help: 'Requests that are being answered, streams of live pages included.',
        samples: [{ suffix: '', labels: {}, value: this.#inProgress }],
      },
    ];
  }
}
