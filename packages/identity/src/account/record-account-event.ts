// Records an event of a user's account in the audit log of every organization that the account can open, and sends a
// mail about actions that an intruder would take.
import type { Database, Transaction } from '@penstock/database/client';
import { type AuditAction, inTransaction, queueMail, recordAudit } from '@penstock/tenancy';
import { securityMail } from './security-mail.ts';

export type AccountAction = Extract<AuditAction, `account.${string}`>;

/** Actions that the account's owner is notified of by mail, even their own. */
const mailedActions: Partial<Record<AccountAction, string>> = {
  'account.change-password': 'Your password was changed',
  'account.reset-password': 'Your password was reset by email',
  'account.enable-two-factor': 'Two-factor sign-in was turned on',
  'account.disable-two-factor': 'Two-factor sign-in was turned off',
  'account.renew-recovery-codes': 'New recovery codes were generated for your account',
  'account.add-passkey': 'A passkey was added to your account',
  'account.remove-passkey': 'A passkey was removed from your account',
};

export interface AccountEvent {
  userId: string;
  action: AccountAction;
  /** The network address that the request came from. */
  address: string;
  /** The method used to sign in. */
  method?: 'password' | 'code' | 'recovery-code' | 'passkey';
}

/** Uses its own transaction, for changes that the account library has already committed. */
export function recordAccountEvent(database: Database, event: AccountEvent, now: Date): Promise<void> {
  return inTransaction(database, (tx) => recordAccountEventIn(tx, event, now));
}

export async function recordAccountEventIn(tx: Transaction, event: AccountEvent, now: Date): Promise<void> {
  const user = await tx.user.findUnique({
    where: { id: event.userId },
    select: {
      email: true,
      members: {
        where: { organization: { deletedAt: null } },
        select: { organizationId: true },
        orderBy: { organizationId: 'asc' },
      },
    },
  });
  if (user === null) {
    return;
  }
  for (const { organizationId } of user.members) {
    await recordAudit(
      { tx, organizationId, actor: { type: 'user', id: event.userId, label: user.email, source: 'web' }, now },
      {
        action: event.action,
        targetType: 'account',
        targetId: event.userId,
        after: { address: event.address, ...(event.method === undefined ? {} : { method: event.method }) },
      },
    );
  }
  const subject = mailedActions[event.action];
  if (subject !== undefined) {
    await queueMail(tx, securityMail(user.email, subject, event.address, now), now);
  }
}
