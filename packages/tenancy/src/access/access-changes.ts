// Word of ended sessions and changed memberships: streams that are open for the person look again at once.
import type { DatabaseWords, WordChannel } from '../database-words/database-words.ts';

/** By user id. Named in the triggers of the migration `people` and later ones. */
const channel = 'penstock_access_changed';

export type AccessChanges = WordChannel;

export function createAccessChanges(words: DatabaseWords): AccessChanges {
  return words.channel(channel);
}
