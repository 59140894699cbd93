// Refuses requests that another site makes a browser send. SameSite cookies do the same; this does not depend on them.

/**
 * Whether a request comes from our own pages or from no page at all. Browsers send Origin with every request that is not a
 * plain GET or HEAD, and Sec-Fetch-Site with all; programs that send neither carry no cookies of a victim.
 * @param webUrl the origin that browsers see
 */
export function isFromOurPages(request: Request, webUrl: string): boolean {
  const origin = request.headers.get('origin');
  if (origin !== null) {
    return origin === new URL(webUrl).origin;
  }
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

/** The answer to a request from elsewhere. */
export function refuseForeignOrigin(webUrl: string): Response {
  return Response.json(
    { message: `This app only accepts requests from ${new URL(webUrl).origin}. Open it at that address.` },
    { status: 403 },
  );
}
