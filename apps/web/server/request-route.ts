// The name of a request's route in metrics and in the access log: one of few, whatever callers send.
import { API_BASE, restPathOf, SCIM_BASE } from '@penstock/api';

/** Paths of pages and handlers whose further segments are values, or many. */
const PREFIXES = ['/api/auth', '/api/stripe', '/_next', '/app', '/docs', '/pricing', '/dev'];
const PAGES = new Set([
  '/',
  '/benchmarks',
  '/forgot-password',
  '/invitation',
  '/reset-password',
  '/sign-in',
  '/sign-up',
]);

export interface RequestFacts {
  method: string;
  /** The URL's path, without its query. */
  path: string;
  /** The header; live pages ask for a stream. */
  accept: string;
}

export function routeOf({ method, path, accept }: RequestFacts): string {
  if (path.startsWith(`${SCIM_BASE}/`)) {
    return SCIM_BASE;
  }
  if (path.startsWith(`${API_BASE}/`)) {
    return API_BASE + (restPathOf(method, path) ?? '');
  }
  if (path.startsWith('/api/trpc/')) {
    return accept.includes('text/event-stream') ? '/api/trpc (stream)' : '/api/trpc';
  }
  const prefix = PREFIXES.find((known) => path === known || path.startsWith(`${known}/`));
  return prefix ?? (PAGES.has(path) ? path : 'other');
}

/** Whether a request lasts as long as somebody looks at the page, so that its duration says nothing. */
export function isStream(route: string): boolean {
  return route.endsWith('(stream)');
}
