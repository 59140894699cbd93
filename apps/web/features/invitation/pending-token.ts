// Keeps an invitation's token in this tab while its holder signs in. The token is in the URL's fragment, which browsers do not send to
// servers. It is removed from the address bar at once.

const STORAGE_KEY = 'penstock-invitation';

/** The token of the opened link, or the one stored earlier. Null when there is neither. */
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
