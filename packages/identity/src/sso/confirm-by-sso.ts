// Proves the identity of a signed-in person again through the provider that opened their session. The provider must have
// asked them after we sent them there: a session that is still open there proves nothing.
import { AppError } from '@penstock/platform';
import { MINUTE_MS } from '@penstock/units';
import { type Redirect, readConnection, redirectToProvider, type SsoTools } from './begin-sso.ts';
import { type LoginInHand, sha256 } from './login-in-hand.ts';
import type { ProviderAnswer } from './provider-claims.ts';

/** Where the window of a confirmation ends. */
export const CONFIRMED_PAGE = '/sign-in/sso/confirmed';

/** Between the provider's clock and ours. */
const CLOCK_SKEW_MS = MINUTE_MS;

function refused(code: string, message: string, remedy: string): AppError {
  return new AppError({ kind: 'forbidden', code, message, remedy });
}

/** @throws AppError `sso_not_configured`, and what `redirectToProvider` throws */
export async function beginConfirmation(
  tools: SsoTools,
  { sessionId, user }: { sessionId: string; user: { id: string; email: string } },
  now: Date,
): Promise<Redirect> {
  const session = await tools.database.session.findFirst({
    where: { id: sessionId, userId: user.id, expiresAt: { gt: now } },
    select: { ssoOrganizationId: true },
  });
  const organizationId = session?.ssoOrganizationId ?? null;
  const connection = organizationId === null ? null : await readConnection(tools, organizationId);
  if (organizationId === null || connection === null) {
    throw refused('sso_not_configured', 'No identity provider opened this session.', 'Use another proof.');
  }
  const login = {
    organizationId,
    next: CONFIRMED_PAGE,
    tester: null,
    confirming: { sessionId, userId: user.id },
  };
  return redirectToProvider(tools, { connection, login, loginHint: user.email }, now);
}

interface Proof {
  login: Pick<LoginInHand, 'organizationId' | 'startedAtMs'>;
  confirming: NonNullable<LoginInHand['confirming']>;
  said: ProviderAnswer;
}

/**
 * Notes the proof in the session.
 * @throws AppError `sso_confirmation_other_person`, `sso_confirmation_undated`, `sso_confirmation_stale`
 */
export async function finishConfirmation(
  { database }: SsoTools,
  { login, confirming, said }: Proof,
  now: Date,
): Promise<void> {
  const { organizationId, startedAtMs } = login;
  const account = await database.account.findFirst({
    where: { providerId: `sso:${organizationId}:${sha256(said.issuer)}`, accountId: said.subject },
    select: { userId: true },
  });
  if (account?.userId !== confirming.userId) {
    throw refused(
      'sso_confirmation_other_person',
      'Somebody else signed in at the identity provider.',
      'Start again and sign in as yourself.',
    );
  }
  if (said.authenticatedAtMs === null) {
    throw refused(
      'sso_confirmation_undated',
      'The identity provider doesn’t report when you signed in.',
      'Ask its administrator to add the claim auth_time.',
    );
  }
  if (said.authenticatedAtMs < startedAtMs - CLOCK_SKEW_MS) {
    throw refused(
      'sso_confirmation_stale',
      'The identity provider didn’t ask you to sign in again.',
      'Sign out at the provider, then start again.',
    );
  }
  await database.session.updateMany({
    where: {
      id: confirming.sessionId,
      userId: confirming.userId,
      ssoOrganizationId: organizationId,
      expiresAt: { gt: now },
    },
    data: { confirmedAt: now },
  });
}
