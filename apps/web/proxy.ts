// Runs before every page and route (Next calls this a proxy): the policy of the answer, with a nonce that nobody can guess.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { contentSecurityPolicy, strictTransportSecurity } from './server/security-headers';

export function proxy(request: NextRequest): NextResponse {
  const isHttps = process.env['PENSTOCK_WEB_URL']?.startsWith('https://') === true;
  const nonce = randomBytes(16).toString('base64');
  const policy = contentSecurityPolicy(nonce, { isHttps, isDevelopment: process.env.NODE_ENV === 'development' });
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

export const config = { matcher: '/((?!_next/static|_next/image).*)' };
