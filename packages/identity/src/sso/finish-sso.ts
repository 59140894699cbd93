// Handles the callback from an organization's OpenID provider: identifies the user and what they may open.
import { timingSafeEqual } from 'node:crypto';
import type { Transaction } from '@penstock/database/client';
import { AppError, newId } from '@penstock/platform';
import { inTransaction, recordAudit } from '@penstock/tenancy';
import * as openid from 'openid-client';
import type { z } from 'zod';
import { forgetRemoval, isBarred } from '../member/removed-member.ts';
import { requireRoomForMembership } from '../organization/membership-limit.ts';
import { callbackUrl, loginInHand, loginKey, readConnection, type SsoTools, sha256 } from './begin-sso.ts';
import { openProvider } from './open-provider.ts';
import { domainOf } from './sso-domains.ts';
import { parseProvisionedRole } from './sso-settings.ts';

export interface SsoAnswer {
  /** The query parameters of the callback. */
  parameters: URLSearchParams;
  /** The cookie of the browser that started the sign-in; null if absent. */
  browserToken: string | null;
  /** The network address that the request comes from. */
  address: string;
}

export interface SsoSignIn {
  userId: string;
  organizationId: string;
  next: string;
}

/** The provider's verified claims about a user. */
interface Identity {
  issuer: string;
  subject: string;
  email: string;
  name: string;
}

function refused(code: string, message: string, cause?: unknown): AppError {
  return new AppError({ kind: 'forbidden', code, message, remedy: 'Start again from the sign-in page.', cause });
}

/**
 * @throws AppError `sso_state_unknown`, `sso_not_configured`, `sso_answer_refused`, `sso_email_unverified`, `sso_domain_foreign`,
 *   `sso_account_unverified`, `sso_member_removed`, and what `openProvider` throws
 */
export async function finishSso(tools: SsoTools, answer: SsoAnswer, now: Date): Promise<SsoSignIn> {
  const login = await takeLogin(tools, answer, now);
  const connection = await readConnection(tools, login.organizationId);
  if (connection === null) {
    throw refused('sso_not_configured', 'Your organization no longer uses this identity provider.');
  }
  const provider = await openProvider(connection, tools.policy);
  const identity = await askWhoItIs(provider, login, tools.webUrl, answer.parameters);
  const userId = await inTransaction(tools.database, (tx) => admit(tx, login.organizationId, identity, answer, now));
  return { userId, organizationId: login.organizationId, next: login.next };
}

/** Single use: a second callback with the same state finds nothing. */
async function takeLogin(
  { database }: SsoTools,
  { parameters, browserToken }: SsoAnswer,
  now: Date,
): Promise<z.infer<typeof loginInHand>> {
  const state = parameters.get('state') ?? '';
  const [row] = await database.$queryRaw<{ value: string; expires_at: Date }[]>`
    DELETE FROM verification WHERE identifier = ${loginKey(state)} RETURNING value, expires_at`;
  const login = row === undefined || row.expires_at <= now ? null : loginInHand.parse(JSON.parse(row.value));
  if (login === null || browserToken === null || !isSame(sha256(browserToken), login.browserHash)) {
    throw refused(
      'sso_state_unknown',
      'This sign-in has expired, was already completed or was started in another browser.',
    );
  }
  return login;
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

async function askWhoItIs(
  provider: openid.Configuration,
  login: z.infer<typeof loginInHand>,
  webUrl: string,
  parameters: URLSearchParams,
): Promise<Identity> {
  const url = new URL(callbackUrl(webUrl));
  url.search = parameters.toString();
  const claims = await openid
    .authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: login.codeVerifier,
      expectedState: parameters.get('state') ?? '',
      expectedNonce: login.nonce,
      idTokenExpected: true,
    })
    .then((tokens) => tokens.claims())
    .catch((error: unknown) => {
      throw refused('sso_answer_refused', 'We couldn’t verify the identity provider’s response.', error);
    });
  if (claims === undefined) {
    throw refused('sso_answer_refused', 'We couldn’t verify the identity provider’s response.');
  }
  const { email, email_verified: isVerified, name } = claims;
  if (typeof email !== 'string' || isVerified !== true) {
    throw refused('sso_email_unverified', 'The identity provider doesn’t report your email address as verified.');
  }
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.toLowerCase(),
    name: typeof name === 'string' && name.trim() !== '' ? name.trim().slice(0, 200) : email,
  };
}

/** Finds or creates the user and their membership, and writes the audit log. */
async function admit(
  tx: Transaction,
  organizationId: string,
  identity: Identity,
  { address }: SsoAnswer,
  now: Date,
): Promise<string> {
  // Serializes concurrent sign-ins of the same user.
  await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE`;
  const connection = await tx.ssoConnection.findUnique({ where: { organizationId } });
  if (connection === null) {
    throw refused('sso_not_configured', 'Your organization no longer uses this identity provider.');
  }
  const domain = domainOf(identity.email) ?? '';
  const owned = await tx.ssoDomain.findFirst({ where: { organizationId, domain, verifiedAt: { not: null } } });
  if (owned === null) {
    throw refused('sso_domain_foreign', 'The email address isn’t in one of the organization’s verified domains.');
  }
  const userId = await findOrMakeUser(tx, organizationId, identity, now);
  const actor = { type: 'user', id: userId, label: identity.email, source: 'web' } as const;
  const scope = { tx, organizationId, actor, now };
  const member = await tx.member.findUnique({ where: { organizationId_userId: { organizationId, userId } } });
  if (member === null) {
    if (await isBarred({ tx, organizationId }, { userId, email: identity.email }, now)) {
      throw new AppError({
        kind: 'forbidden',
        code: 'sso_member_removed',
        message: 'You were removed from this organization.',
        remedy: 'Ask an owner or admin of the organization to invite you again.',
      });
    }
    await requireRoomForMembership(tx, userId);
    const role = parseProvisionedRole(connection.defaultRole);
    await tx.member.create({ data: { id: newId(now.getTime()), organizationId, userId, role, createdAt: now } });
    await forgetRemoval({ tx, organizationId }, userId);
    await recordAudit(scope, {
      action: 'member.provision',
      targetType: 'member',
      targetId: userId,
      after: { email: identity.email, role },
    });
  }
  await recordAudit(scope, {
    action: 'account.sign-in',
    targetType: 'account',
    targetId: userId,
    after: { address, method: 'sso' },
  });
  return userId;
}

/**
 * Finds the user by the provider's subject, else by e-mail address. An existing account matches only if its address is
 * verified: someone who signed up with another person's address must not share their account.
 */
async function findOrMakeUser(
  tx: Transaction,
  organizationId: string,
  { issuer, subject, email, name }: Identity,
  now: Date,
): Promise<string> {
  // Subjects are unique only within their issuer.
  const account = { providerId: `sso:${organizationId}:${sha256(issuer)}`, accountId: subject };
  const known = await tx.account.findFirst({ where: account, select: { userId: true } });
  if (known !== null) {
    return known.userId;
  }
  const existing = await tx.user.findUnique({ where: { email }, select: { id: true, emailVerified: true } });
  if (existing?.emailVerified === false) {
    throw refused(
      'sso_account_unverified',
      'An account with your email address exists but hasn’t been verified. Open the link in the verification email, then sign in again.',
    );
  }
  const userId = existing?.id ?? newId(now.getTime());
  if (existing === null) {
    await tx.user.create({ data: { id: userId, name, email, emailVerified: true, createdAt: now, updatedAt: now } });
  }
  await tx.account.create({ data: { id: newId(now.getTime()), userId, ...account, createdAt: now, updatedAt: now } });
  return userId;
}
