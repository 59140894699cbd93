// Why a way back from an organization's OpenID provider was refused, in words. Pure.

const WORDS: Readonly<Record<string, string>> = {
  sso_state_unknown:
    'This sign-in was finished already, took longer than ten minutes, or was begun in another browser.',
  sso_not_configured: 'Your organization does not use this provider any more.',
  sso_answer_refused: 'Your provider’s answer does not hold. If it happens again, tell an owner of your organization.',
  sso_email_unverified: 'Your provider does not say that your e-mail address is verified. Ask whoever runs it.',
  sso_domain_foreign: 'Your provider vouches for an address that is not of your organization’s domains.',
  sso_account_unverified:
    'There is an account with your address that nobody has confirmed. Confirm it by the link in the mail, then come back.',
  organization_limit: 'You belong to as many organizations as one person may.',
};

/** Null when nothing was refused. */
export function ssoRefusal(code: string | undefined): string | null {
  if (code === undefined) return null;
  return WORDS[code] ?? 'The sign-in could not be finished. Your organization’s provider may be out of reach.';
}
