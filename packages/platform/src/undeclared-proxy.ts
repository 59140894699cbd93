// Notices requests that came through a proxy which nobody declared. All its clients then count as one address: one
// attacker uses up the attempts and quotas of everybody.
import { isAmong } from './client-address.ts';

/** Often enough to be found, seldom enough that a client who forges the header cannot fill the log. */
const REPORT_EVERY_MS = 60 * 60_000;

/** @returns the message that an operator reads */
export function undeclaredProxyMessage(peer: string): string {
  return (
    `Requests arrive from ${peer} with x-forwarded-for, but PENSTOCK_TRUSTED_PROXIES does not name that address. ` +
    'If it is a proxy, all its clients count as one address, so that one of them can use up the sign-in attempts and ' +
    'rate limits of all. Set PENSTOCK_TRUSTED_PROXIES to the addresses of your proxies.'
  );
}

/**
 * @param report called for the first such request, and at most once an hour from then on
 * @returns a function to call with each request's peer and the x-forwarded-for that it brought
 */
export function createProxyWatch(
  trustedProxies: readonly string[],
  report: (message: string) => void,
): (peer: string | undefined, brought: unknown, nowMs: number) => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (peer, brought, nowMs) => {
    if (brought === undefined || peer === undefined || nowMs - reportedAtMs < REPORT_EVERY_MS) {
      return;
    }
    if (!isAmong(peer, trustedProxies)) {
      reportedAtMs = nowMs;
      report(undeclaredProxyMessage(peer));
    }
  };
}
