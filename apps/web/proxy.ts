// Runs before every page and route (Next calls this a proxy). Sets the response's Content-Security-Policy with a fresh nonce.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { API_REFERENCE_SLUG, entryOf, FIRST_SLUG } from './features/docs/contents';
import { messagesPageCluster } from './server/messages-page';
import { contentSecurityPolicy, STRICT_TRANSPORT_SECURITY } from './server/security-headers';

/** A path with no page. */
const NOWHERE = '/not-found';

export async function proxy(request: NextRequest): Promise<NextResponse> {
  const isHttps = process.env['PENSTOCK_WEB_URL']?.startsWith('https://') === true;
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, {
    isHttps,
    isDevelopment: process.env.NODE_ENV === 'development',
    agentOrigins: await agentOriginsFor(request),
  });
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from this header.
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  const response = isUnknownDocsPage(request.nextUrl.pathname)
    ? NextResponse.rewrite(new URL(NOWHERE, request.url), { request: { headers } })
    : NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  if (isHttps) {
    response.headers.set('strict-transport-security', STRICT_TRANSPORT_SECURITY);
  }
  return response;
}

/**
 * Unknown slugs are rewritten to a path without a page. If the page itself called notFound() while rendering, Next would send an empty
 * document and the browser would draw it again, without the theme that its script had set.
 */
function isUnknownDocsPage(pathname: string): boolean {
  const slug = /^\/docs\/([^/]+)\/?$/.exec(pathname)?.[1];
  // The first page is served at /docs only.
  return slug !== undefined && slug !== API_REFERENCE_SLUG && (slug === FIRST_SLUG || entryOf(slug) === undefined);
}

/** Only the messages page may call agents, and its policy lists them; other pages may call only this server. */
async function agentOriginsFor(request: NextRequest): Promise<readonly string[]> {
  const clusterId = messagesPageCluster(request.nextUrl.pathname);
  if (clusterId === null) {
    return [];
  }
  // Loaded for this page only: other pages need no services for their policy.
  const { agentOrigins } = await import('./server/agent-origins');
  return agentOrigins(new Headers(request.headers), clusterId);
}

export const config = { matcher: '/((?!_next/static|_next/image).*)' };
