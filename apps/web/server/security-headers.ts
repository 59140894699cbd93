// Security headers of every response. Pure: no request, no environment.

/**
 * Everything comes from this origin. A script runs only with the response's nonce, or when a script with the nonce loads it. Styles may be
 * inline, because components set sizes and positions in attributes, which cannot carry a nonce.
 * @param nonce fresh for each response
 * @param facts.agentOrigins agents that this page may query for records: exact, validated origins
 */
export function contentSecurityPolicy(
  nonce: string,
  facts: { isDevelopment: boolean; isHttps: boolean; agentOrigins?: readonly string[] },
): string {
  return [
    "default-src 'self'",
    // React explains errors with eval, in development only.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${facts.isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Without it, browsers differ in whether 'strict-dynamic' lets a script start a worker.
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...(facts.agentOrigins ?? [])].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(facts.isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Two years. Sent over https only: browsers ignore it elsewhere. */
export const STRICT_TRANSPORT_SECURITY = 'max-age=63072000; includeSubDomains';

/** Headers of every response, page or not. */
export const alwaysSaid = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

/** The policy of API responses: a browser that shows one loads and runs nothing. */
export function apiHeaders(isHttps: boolean): Record<string, string> {
  return {
    ...alwaysSaid,
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ...(isHttps ? { 'strict-transport-security': STRICT_TRANSPORT_SECURITY } : {}),
  };
}
