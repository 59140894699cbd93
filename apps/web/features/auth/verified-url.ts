/** Where the link in a verification mail ends; an `error` is added to it when the link is not good any more. */
export const VERIFIED_URL = '/verify-email?status=verified';

/** A path within this site, or the dashboard: a link to a foreign site must never come out of a sign-in form. */
export function safeNextPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/app';
}
