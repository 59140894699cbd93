// Word of events, findings, silences and other health of clusters: who looks at one reads it again at once.
import type { DatabaseWords, WordChannel } from '@penstock/tenancy';

/** By cluster id. Named in the triggers of the migration `cluster_announced`. */
const channel = 'penstock_cluster_changed';

export type ClusterChanges = WordChannel;

export function createClusterChanges(words: DatabaseWords): ClusterChanges {
  return words.channel(channel);
}
