// Refuses cross-site requests (CSRF). SameSite cookies do the same, but this check does not depend on them.

/**
 * Whether a request comes from our own pages, or from no page at all. Browsers send Origin with every request that is
 * not a plain GET or HEAD, and Sec-Fetch-Site with every request. A program that sends neither carries no victim's
 * cookies.
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

/** The response to a cross-site request. */
export function refuseForeignOrigin(webUrl: string): Response {
  return Response.json(
    { message: `This app only accepts requests from ${new URL(webUrl).origin}. Open it at that address.` },
    { status: 403 },
  );
}
