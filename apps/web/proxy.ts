// Runs before every page and route (Next calls this a proxy): the policy of the answer, with a nonce that nobody can guess.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { messagesPageCluster } from './server/messages-page';
import { contentSecurityPolicy, strictTransportSecurity } from './server/security-headers';

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
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  if (isHttps) {
    response.headers.set('strict-transport-security', strictTransportSecurity);
  }
  return response;
}

/** The one page that calls agents is told which; no other page calls anything but us. */
async function agentOriginsFor(request: NextRequest): Promise<readonly string[]> {
  const clusterId = messagesPageCluster(request.nextUrl.pathname);
  if (clusterId === null) return [];
  // Loaded for this page alone: everything else needs no services to be told its policy.
  const { agentOrigins } = await import('./server/agent-origins');
  return agentOrigins(new Headers(request.headers), clusterId);
}

export const config = { matcher: '/((?!_next/static|_next/image).*)' };
