// The audited actions that this domain writes, with their words. Client-safe.
import type {} from '@penstock/tenancy/audit-actions';

export const clustersAudit = {
  /** Headings of the search: what the actions are about, by the first part of their names. */
  nouns: {
    cluster: 'Clusters',
    'agent-key': 'Agent keys',
    'agent-address': 'Agent addresses',
    alerts: 'Alert recipients',
    silence: 'Alert silences',
    topic: 'Topics',
    group: 'Consumer groups',
    'client-metrics': 'Client metrics',
    transaction: 'Transactions',
    'cluster-user': 'Kafka users',
    acl: 'ACLs',
    quota: 'Client quotas',
    security: 'Access settings',
  },
  /** In the past tense, after the name of the actor. */
  actions: {
    'cluster.create': 'created a cluster',
    'cluster.rename': 'renamed a cluster',
    'cluster.update-settings': 'changed a cluster’s settings',
    'cluster.delete': 'deleted a cluster',
    'cluster.restore': 'restored a cluster',
    'cluster.purge': 'permanently deleted a cluster',
    'agent-key.create': 'created an agent key',
    'agent-key.update': 'changed an agent key',
    'agent-key.revoke': 'revoked an agent key',
    'agent-key.new-network': 'noticed an agent key in a new network',
    'agent-address.confirm': 'confirmed an agent address',
    'agent-address.remove': 'removed an agent address',
    'alerts.choose-recipient': 'changed the alert recipients',
    'silence.create': 'silenced alerts',
    'silence.end': 'ended an alert silence',
    'topic.create': 'created a topic',
    'topic.delete': 'deleted a topic',
    'topic.alter-configs': 'changed a topic’s configuration',
    'topic.delete-records': 'deleted records from a topic',
    'topic.add-partitions': 'added partitions to a topic',
    'topic.browse': 'viewed messages of a topic',
    'group.reset-offsets': 'reset a consumer group’s offsets',
    'group.delete': 'deleted a consumer group',
    'group.commit-offsets': 'committed offsets from outside a consumer group',
    'group.delete-offsets': 'deleted offsets of a consumer group',
    'group.alter-configs': 'changed a consumer group’s configuration',
    'client-metrics.alter-configs': 'changed a subscription to client metrics',
    'transaction.abort': 'aborted a transaction',
    'cluster-user.put-credential': 'set a Kafka user’s credential',
    'cluster-user.delete': 'deleted a Kafka user',
    'acl.create': 'created ACLs',
    'acl.delete': 'deleted ACLs',
    'quota.set': 'changed a client quota',
    'security.update-settings': 'changed a cluster’s access settings',
  },
} as const;

declare module '@penstock/tenancy/audit-actions' {
  interface AuditActions extends Record<keyof typeof clustersAudit.actions, true> {}
}
