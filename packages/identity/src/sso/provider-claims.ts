// What a provider says about a person, and how far we trust the address. Pure. Knows how Entra ID, Okta and Google
// differ from the specification.
import { AppError, isStorable } from '@penstock/platform';

/** Claims of an ID token, completed by the userinfo endpoint's, or the attributes of a SAML assertion. */
export type Claims = Readonly<Record<string, unknown>>;

/** A provider's verified answer. */
export interface ProviderAnswer {
  issuer: string;
  subject: string;
  claims: Claims;
  /** When the person last proved to the provider who they are; null if it doesn't say. */
  authenticatedAtMs: number | null;
}

/** The claim that an address was read from, in the order of preference. */
const ADDRESS_CLAIMS = ['email', 'upn', 'preferred_username'] as const;
export type AddressClaim = (typeof ADDRESS_CLAIMS)[number];

export interface ProviderFacts {
  /** In lower case; null if no claim holds an address. */
  email: string | null;
  emailClaim: AddressClaim | null;
  /** `unstated`: the provider says nothing, as Entra ID does by default. */
  emailTrust: 'verified' | 'unstated' | 'denied';
  name: string | null;
  /** Null if the provider left the groups out because there are too many for a token. */
  groups: string[] | null;
}

const GOOGLE_ISSUER = 'https://accounts.google.com';

/**
 * Issuers where anybody can have an account. The organization doesn't decide whom they vouch for, so they must state
 * that an address is verified.
 */
const PUBLIC_ISSUERS: ReadonlySet<string> = new Set([
  GOOGLE_ISSUER,
  'https://access.line.me',
  'https://appleid.apple.com',
  'https://api.login.yahoo.com',
  'https://gitlab.com',
  'https://slack.com',
  'https://www.facebook.com',
  'https://www.linkedin.com/oauth',
]);

/** Bounds what a provider can make us store. */
const MAX_GROUPS = 2_000;
const MAX_GROUP_LENGTH = 200;
const MAX_NAME_LENGTH = 200;

export function readFacts(claims: Claims, groupsClaim: string): ProviderFacts {
  const emailClaim = ADDRESS_CLAIMS.find((claim) => isAddress(claims[claim])) ?? null;
  const email = emailClaim === null ? null : String(claims[emailClaim]).trim().toLowerCase();
  const name = claims['name'];
  return {
    email,
    emailClaim,
    emailTrust: readTrust(claims),
    name: typeof name === 'string' ? readName(name) : null,
    groups: areGroupsLeftOut(claims, groupsClaim) ? null : readGroups(claims[groupsClaim]),
  };
}

/** Without what cannot be stored. Null: nothing is left. */
function readName(claim: string): string | null {
  // A cut may halve a surrogate pair.
  const name = claim.replaceAll('\0', '').trim().slice(0, MAX_NAME_LENGTH).toWellFormed();
  return name === '' ? null : name;
}

/** One `@`, and no white space or control characters, which could pass for another address. */
function isAddress(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 320 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(value.trim());
}

/**
 * `email_verified` is a boolean in the specification and a text at some providers. `xms_edov` is Entra ID's optional
 * claim for the same, sent as a boolean, number or text.
 */
function readTrust(claims: Claims): ProviderFacts['emailTrust'] {
  const said = [claims['email_verified'], claims['xms_edov']].filter((value) => value !== undefined && value !== null);
  if (said.length === 0) {
    return 'unstated';
  }
  return said.every((value) => ['true', '1'].includes(String(value).toLowerCase())) ? 'verified' : 'denied';
}

/** Some providers send a single group as a text instead of a list. */
function readGroups(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const groups = list.filter((group): group is string => typeof group === 'string' && isGroup(group));
  return [...new Set(groups)].slice(0, MAX_GROUPS);
}

function isGroup(text: string): boolean {
  return text !== '' && text.length <= MAX_GROUP_LENGTH && isStorable(text);
}

/** Entra ID replaces more than 200 groups (150 in SAML) by a link to Microsoft Graph. */
function areGroupsLeftOut(claims: Claims, groupsClaim: string): boolean {
  if (claims[groupsClaim] !== undefined) {
    return false;
  }
  const names = claims['_claim_names'];
  const isLinked = typeof names === 'object' && names !== null && groupsClaim in names;
  return (
    isLinked || claims['hasgroups'] === true || claims['http://schemas.microsoft.com/claims/groups.link'] !== undefined
  );
}

/** Whether the ID token lacks a claim that the userinfo endpoint may have. Okta and others issue such thin tokens. */
export function isThin(claims: Claims, groupsClaim: string, areGroupsNeeded: boolean): boolean {
  const { emailClaim, emailTrust, groups } = readFacts(claims, groupsClaim);
  const lacksEmail = emailClaim !== 'email' && emailTrust !== 'denied';
  return lacksEmail || (areGroupsNeeded && groups !== null && groups.length === 0);
}

/** The ID token's claims win, but an address that either of them calls unverified is not verified. */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const isDenied = [idToken, userInfo].some((claims) => readTrust(claims) === 'denied');
  return { ...userInfo, ...idToken, ...(isDenied ? { email_verified: false } : {}) };
}

function refused(code: string, message: string, remedy: string): AppError {
  return new AppError({ kind: 'forbidden', code, message, remedy });
}

/**
 * The address that the organization's provider vouches for. The caller checks that it is in a domain that the
 * organization verified, without which an address that is not stated to be verified proves nothing.
 * @throws AppError `sso_email_missing`, `sso_email_unverified`, `sso_account_personal`
 */
export function requireAddress({ email, emailTrust }: ProviderFacts, { issuer, claims }: ProviderAnswer): string {
  if (email === null) {
    throw refused(
      'sso_email_missing',
      'The identity provider doesn’t report an email address.',
      'Add the email claim to the application at your provider, and give the person an email address.',
    );
  }
  const publicIssuer = issuer.replace(/\/$/, '');
  if (emailTrust === 'denied' || (emailTrust === 'unstated' && PUBLIC_ISSUERS.has(publicIssuer))) {
    throw refused(
      'sso_email_unverified',
      'The identity provider doesn’t report your email address as verified.',
      'Verify the address at your provider.',
    );
  }
  // Anybody can open a personal Google account with a company address and keep it after leaving the company.
  if (publicIssuer === GOOGLE_ISSUER && (typeof claims['hd'] !== 'string' || claims['hd'] === '')) {
    throw refused(
      'sso_account_personal',
      'This is a personal Google account.',
      'Sign in with the Google Workspace account of your organization.',
    );
  }
  return email;
}
