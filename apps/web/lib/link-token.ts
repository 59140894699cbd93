// Keeps the token of a mail's link in this tab while its holder signs in. The token is in the URL's fragment, which
// browsers do not send to servers. It is removed from the address bar at once.

/** The purpose of the link. */
export type LinkPurpose = 'invitation' | 'sign-up';

const keyOf = (purpose: LinkPurpose): string => `penstock-${purpose}`;

/** The token of the opened link, or the one stored earlier. Null when there is neither. */
export function takeLinkToken(purpose: LinkPurpose): string | null {
  const fromLink = window.location.hash.slice(1);
  if (fromLink !== '') {
    window.history.replaceState(null, '', window.location.pathname);
    window.sessionStorage.setItem(keyOf(purpose), fromLink);
    return fromLink;
  }
  return window.sessionStorage.getItem(keyOf(purpose));
}

export function hasLinkToken(purpose: LinkPurpose): boolean {
  return window.sessionStorage.getItem(keyOf(purpose)) !== null;
}

export function forgetLinkToken(purpose: LinkPurpose): void {
  window.sessionStorage.removeItem(keyOf(purpose));
}
