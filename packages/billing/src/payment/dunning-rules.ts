// The consequences of unpaid invoices, and their dates. Pure: the caller passes the day. Customer data is never
// affected.

import { DAY_MS } from '@penstock/units';

/** Days after the first failure on which a mail is sent. Before each mail but the first, the card is charged again. */
export const mailDays = [0, 3, 7, 14] as const;
/** The day of the last mail, from which every dashboard page shows it. */
export const PAST_DUE_DAY = 14;
/** From this day no clusters can be created. Existing ones keep running. */
export const RESTRICTED_DAY = 21;

export type Standing = 'good' | 'past_due' | 'restricted';

/** Whole days since the failure. */
export function daysSince(failingSince: Date, now: Date): number {
  return Math.floor((now.getTime() - failingSince.getTime()) / DAY_MS);
}

export function dayAfter(failingSince: Date, days: number): Date {
  return new Date(failingSince.getTime() + days * DAY_MS);
}

/**
 * The standing of an organization. `failingSince` is when its oldest unpaid invoice first failed, null if there is
 * none.
 */
export function standingOf(failingSince: Date | null, now: Date): Standing {
  if (failingSince === null) {
    return 'good';
  }
  const days = daysSince(failingSince, now);
  if (days >= RESTRICTED_DAY) {
    return 'restricted';
  }
  return days >= PAST_DUE_DAY ? 'past_due' : 'good';
}

/**
 * The mail that is due, from 0; undefined if all due mails were sent. After a long pause earlier mails are skipped,
 * because four mails on one day would help nobody.
 */
export function dueStep(failingSince: Date, mailedSteps: number, now: Date): number | undefined {
  const days = daysSince(failingSince, now);
  const due = mailDays.filter((day) => day <= days).length - 1;
  return due >= mailedSteps ? due : undefined;
}
