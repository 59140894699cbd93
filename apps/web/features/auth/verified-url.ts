/** Where the link in a verification mail ends; an `error` is added to it when the link is not good any more. */
export const VERIFIED_URL = '/verify-email?status=verified';

/** What a sign-in carries along; longer addresses are given up. */
const LONGEST_PATH = 2_000;

/**
 * A path of this site with its query, or the dashboard: a link to a foreign site must never come out of a sign-in form. Read as a browser
 * reads it, which leaves tabs and line ends out and takes a backslash for a slash.
 */
export function safeNextPath(next: string | undefined): string {
  const here = 'https://here.invalid';
  const url = next?.startsWith('/') === true ? URL.parse(next, here) : null;
  if (url === null || url.origin !== here) {
    return '/app';
  }
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.startsWith('//') || path.length > LONGEST_PATH ? '/app' : path;
}
