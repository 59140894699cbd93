// Limits invitations across organizations: what one mailbox receives, and what one person sends. The limit per
// organization is in `invite-member.ts`.
import type { Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import { DAY_S } from '@penstock/units';
import { createThrottle } from '../account/throttle.ts';

/** Per address and day: enough for a few organizations and lost mails, useless for flooding a mailbox. */
const MAX_PER_RECIPIENT = 5;

/** Per person and day, in all organizations. As many as one organization may send. */
const MAX_PER_INVITER = 100;

/**
 * Counts an invitation that is about to be sent. Uses its own transactions, so that a race lets exactly the limit
 * through.
 * @param accounts a client that works across organizations
 * @param invitation.email trimmed and in lower case
 * @throws AppError `recipient_limit`, `inviter_limit`
 */
export async function limitInvitations(
  accounts: Database,
  invitation: { email: string; inviterId: string },
  now: Date,
): Promise<void> {
  // Not a secret: invitations have the addresses in plain text.
  const throttle = createThrottle(accounts, 'invitations');
  const subject = (kind: string, value: string, attempts: number) => ({
    kind: `invitation:${kind}`,
    value,
    limit: { attempts, window_s: DAY_S },
  });
  const byInviter = await throttle.attempt([subject('inviter', invitation.inviterId, MAX_PER_INVITER)], now);
  if (!byInviter.isAllowed) {
    throw new AppError({
      kind: 'rate-limited',
      code: 'inviter_limit',
      message: `You’ve reached the limit of ${MAX_PER_INVITER} invitations per day.`,
      remedy: 'Try again tomorrow, or contact us.',
    });
  }
  const byRecipient = await throttle.attempt([subject('recipient', invitation.email, MAX_PER_RECIPIENT)], now);
  if (!byRecipient.isAllowed) {
    throw new AppError({
      kind: 'rate-limited',
      code: 'recipient_limit',
      message: `${invitation.email} can receive at most ${MAX_PER_RECIPIENT} invitations per day.`,
      remedy: 'Invitations that were sent before still work. Try again tomorrow.',
      field: 'email',
    });
  }
}
