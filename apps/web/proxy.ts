// Runs before every page and route (Next calls this a proxy): the policy of the answer, with a nonce that nobody can guess.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { API_REFERENCE_SLUG, entryOf, FIRST_SLUG } from './features/docs/contents';
import { messagesPageCluster } from './server/messages-page';
import { contentSecurityPolicy, STRICT_TRANSPORT_SECURITY } from './server/security-headers';

/** No page is at this address. */
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
  // Next reads the nonce for its own scripts from here.
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
 * Such an address is routed to where no page is. If the page itself found that out while it is rendered, Next would send an empty document,
 * and the browser would draw it anew, without the theme that its script had set.
 */
function isUnknownDocsPage(pathname: string): boolean {
  const slug = /^\/docs\/([^/]+)\/?$/.exec(pathname)?.[1];
  // The first page has one address only.
  return slug !== undefined && slug !== API_REFERENCE_SLUG && (slug === FIRST_SLUG || entryOf(slug) === undefined);
}

/** The one page that calls agents is told which; no other page calls anything but us. */
async function agentOriginsFor(request: NextRequest): Promise<readonly string[]> {
  const clusterId = messagesPageCluster(request.nextUrl.pathname);
  if (clusterId === null) {
    return [];
  }
  // Loaded for this page alone: everything else needs no services to be told its policy.
  const { agentOrigins } = await import('./server/agent-origins');
  return agentOrigins(new Headers(request.headers), clusterId);
}

export const config = { matcher: '/((?!_next/static|_next/image).*)' };
