// What follows when money does not come, and when. Pure: the caller says what day it is. Running data is never touched.

import { DAY_MS } from '@penstock/units';

/** Days after the first failure on which a mail goes out; on all but the first the card is tried again before. */
export const mailDays = [0, 3, 7, 14] as const;
/** With the last mail the dashboard says so on every page. */
export const PAST_DUE_DAY = 14;
/** From then on no cluster can be made. Existing ones go on. */
export const RESTRICTED_DAY = 21;

export type Standing = 'good' | 'past_due' | 'restricted';

/** Whole days since the failure. */
export function daysSince(failingSince: Date, now: Date): number {
  return Math.floor((now.getTime() - failingSince.getTime()) / DAY_MS);
}

export function dayAfter(failingSince: Date, days: number): Date {
  return new Date(failingSince.getTime() + days * DAY_MS);
}

/** The standing of an organization whose oldest unpaid failure is that old; null when there is none. */
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
 * The mail that is due, from 0; undefined when all that are due went out. After a long pause the earlier ones are left out: four mails
 * on one day would help nobody.
 */
export function dueStep(failingSince: Date, mailedSteps: number, now: Date): number | undefined {
  const days = daysSince(failingSince, now);
  const due = mailDays.filter((day) => day <= days).length - 1;
  return due >= mailedSteps ? due : undefined;
}
