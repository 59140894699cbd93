// Notifications of ended sessions and changed memberships, so that a user's open streams re-check access at once.
import { type KeyedChannel, keyedChannel, type Notifications } from '../notifications/notifications.ts';

/** Keyed by user id. The triggers of the migration `people` and later ones use this name. */
const CHANNEL = 'penstock_access_changed';

export type AccessChanges = KeyedChannel;

export function createAccessChanges(notifications: Notifications): AccessChanges {
  return keyedChannel(notifications, CHANNEL);
}
