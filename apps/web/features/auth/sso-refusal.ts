// Messages for a failed return from an organization's OpenID provider. Pure.

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sso_state_unknown:
      'This sign-in has expired, was already completed or was started in another browser. A sign-in must be completed within 10 minutes.',
    sso_not_configured: 'Your organization no longer uses this identity provider.',
    sso_answer_refused:
      'We couldn’t verify the response from your identity provider. If this happens again, contact an owner of your organization.',
    sso_email_unverified:
      'Your identity provider doesn’t report your email address as verified. Contact its administrator.',
    sso_email_missing: 'Your identity provider doesn’t report your email address. Contact its administrator.',
    sso_account_personal:
      'This is a personal Google account. Sign in with the Google Workspace account of your organization.',
    sso_groups_left_out:
      'You are in more groups than your identity provider can report. Its administrator can limit them to groups that are assigned to the application.',
    sso_group_missing:
      'You aren’t in any group that may open this organization. Contact the administrator of your identity provider.',
    sso_domain_foreign:
      'The email address from your identity provider isn’t in one of your organization’s verified domains.',
    sso_member_removed:
      'You were removed from this organization. Ask an owner or admin of the organization to invite you again.',
    sso_member_deprovisioned:
      'Your identity provider has deactivated you in this organization. Contact its administrator.',
    sso_confirmation_other_person:
      'Somebody else signed in at your identity provider. Close this window, start again and sign in as yourself.',
    sso_confirmation_undated:
      'Your identity provider doesn’t report when you signed in. Its administrator can add the claim auth_time.',
    sso_confirmation_stale:
      'Your identity provider didn’t ask you to sign in again. Sign out there, close this window and start again.',
    organization_limit: 'You’ve reached the limit of organizations per person.',
  }),
);

/** Null when there was no error. */
export function ssoRefusal(code: string | undefined): string | null {
  if (code === undefined) {
    return null;
  }
  return (
    WORDS.get(code) ?? 'We couldn’t complete the sign-in. Your organization’s identity provider may be unreachable.'
  );
}
