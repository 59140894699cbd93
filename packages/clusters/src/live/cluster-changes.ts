// Notifications of events, findings, silences and other health of clusters, so that their live records are read again at once.
import { type KeyedChannel, keyedChannel, type Notifications } from '@penstock/tenancy';

/** By cluster id. Named in the triggers of the migration `cluster_announced`. */
const CHANNEL = 'penstock_cluster_changed';

export type ClusterChanges = KeyedChannel;

export function createClusterChanges(notifications: Notifications): ClusterChanges {
  return keyedChannel(notifications, CHANNEL);
}
