// Keeps an invitation's token while its holder signs in, in this tab alone. It comes behind the # of the mail's link,
// which browsers send to nobody, and leaves the address bar at once.

const STORAGE_KEY = 'penstock-invitation';

/** The token of the link that was opened, or the one that waits since. Null when there is neither. */
export function takePendingToken(): string | null {
  const fromLink = window.location.hash.slice(1);
  if (fromLink !== '') {
    window.history.replaceState(null, '', window.location.pathname);
    window.sessionStorage.setItem(STORAGE_KEY, fromLink);
    return fromLink;
  }
  return window.sessionStorage.getItem(STORAGE_KEY);
}

export function forgetPendingToken(): void {
  window.sessionStorage.removeItem(STORAGE_KEY);
}
