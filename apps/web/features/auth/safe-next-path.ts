/** The longest address that a sign-in carries. Longer ones are dropped. */
const LONGEST_PATH = 2_000;

/**
 * A path of this site with its query, or the dashboard. It prevents open redirects from a sign-in form. Parses as browsers do: tabs and
 * line breaks are dropped and a backslash counts as a slash.
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
