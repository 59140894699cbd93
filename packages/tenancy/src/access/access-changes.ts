// Notifications of ended sessions and changed memberships, so that open streams of the person check access again at once.
import { type KeyedChannel, keyedChannel, type Notifications } from '../notifications/notifications.ts';

/** By user id. Named in the triggers of the migration `people` and later ones. */
const CHANNEL = 'penstock_access_changed';

export type AccessChanges = KeyedChannel;

export function createAccessChanges(notifications: Notifications): AccessChanges {
  return keyedChannel(notifications, CHANNEL);
}
