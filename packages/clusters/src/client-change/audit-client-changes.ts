// Changes made by Kafka clients, as rows of the audit log: the same actions and facts as for changes in the dashboard,
// and the client that made them.
import type { ClientChanges, KafkaChange, KafkaClient } from '@penstock/metadata-core';
import type { Actor, AuditRowFacts } from '@penstock/tenancy';
import { aclOf, aclText, mechanismName } from '../access/access-messages.ts';

/** A longer value does not fit into the index of targets. Names of groups can have more. */
const MAX_TARGET_CHARS = 500;

type Facts = NonNullable<AuditRowFacts['after']>;

interface ChangeFacts extends Pick<AuditRowFacts, 'action' | 'targetType'> {
  /** Within the cluster. Absent: the cluster itself. */
  target?: string;
  before?: Facts;
  after?: Facts;
}

/** @param at when the change was made */
export function auditClientChanges(
  { organizationId, clusterId, at }: { organizationId: string; clusterId: string; at: Date },
  { client, changes }: ClientChanges,
): AuditRowFacts[] {
  const actor = actorOf(client);
  return changes.map((change) => {
    const { action, targetType, target, before, after } = factsOf(change);
    return {
      organizationId,
      actor,
      at,
      action,
      targetType,
      targetId: target === undefined ? clusterId : `${clusterId}/${target}`.slice(0, MAX_TARGET_CHARS),
      ...(before === undefined ? {} : { before: { clusterId, ...before } }),
      after: { clusterId, ...after, ...originOf(client) },
    };
  });
}

function actorOf({ principal }: KafkaClient): Actor {
  return {
    type: 'kafka-client',
    id: principal === '' ? null : principal,
    label: principal === '' ? 'A Kafka client' : principal,
    source: 'kafka',
  };
}

function originOf({ clientId, address, agentId, agentKeyId }: KafkaClient): Facts {
  return { kafkaClientId: clientId, clientAddress: address, agentId, agentKeyId };
}

function factsOf(change: KafkaChange): ChangeFacts {
  switch (change.kind) {
    case 'topic-created': {
      const { name, partitions, configs } = change;
      const after = { name, partitions, ...Object.fromEntries(configs.map((config) => [config.name, config.value])) };
      return { action: 'topic.create', targetType: 'topic', target: name, after };
    }
    case 'topic-deleted': {
      const { name, partitions } = change;
      return { action: 'topic.delete', targetType: 'topic', target: name, before: { name, partitions } };
    }
    case 'partitions-added': {
      const { name, totalPartitions } = change;
      const after = { name, partitions: totalPartitions };
      return { action: 'topic.add-partitions', targetType: 'topic', target: name, after };
    }
    case 'configs-altered': {
      const { name, ops } = change;
      const after = { name, ...Object.fromEntries(ops.map((op) => [op.name, configText(op)])) };
      return { action: 'topic.alter-configs', targetType: 'topic', target: name, after };
    }
    case 'credential-put': {
      const { user, iterations, expiresAtMs } = change;
      const expiresAt = expiresAtMs === 0 ? null : new Date(expiresAtMs).toISOString();
      const after = { user, mechanism: mechanismName(change.mechanism), iterations, expiresAt };
      return { action: 'cluster-user.put-credential', targetType: 'cluster-user', target: user, after };
    }
    case 'credential-deleted': {
      const { user } = change;
      const before = { user, mechanisms: [mechanismName(change.mechanism)] };
      return { action: 'cluster-user.delete', targetType: 'cluster-user', target: user, before };
    }
    case 'acls-created':
      return { action: 'acl.create', targetType: 'acl', after: { acls: change.acls.map(aclOf).map(aclText) } };
    case 'acls-deleted':
      return { action: 'acl.delete', targetType: 'acl', before: { acls: change.acls.map(aclOf).map(aclText) } };
    case 'quota-altered': {
      const { user, clientId, ops } = change;
      const after = { user, clientId, ...Object.fromEntries(ops.map(({ key, value }) => [key, value])) };
      return { action: 'quota.set', targetType: 'quota', after };
    }
    case 'group-deleted': {
      const { groupId } = change;
      return { action: 'group.delete', targetType: 'group', target: groupId, before: { groupId } };
    }
    case 'group-configs-altered': {
      const { groupId, ops } = change;
      const after = { groupId, ...Object.fromEntries(ops.map(({ name, value }) => [name, value ?? 'default'])) };
      return { action: 'group.alter-configs', targetType: 'group', target: groupId, after };
    }
    case 'client-metrics-altered': {
      const { name, ops } = change;
      const after = { name, ...Object.fromEntries(ops.map((op) => [op.name, configText(op)])) };
      return { action: 'client-metrics.alter-configs', targetType: 'client-metrics', target: name, after };
    }
    case 'transaction-aborted': {
      const { transactionalId } = change;
      const after = { transactionalId };
      return { action: 'transaction.abort', targetType: 'transaction', target: transactionalId, after };
    }
    case 'cluster-defaults-altered': {
      const { maxUncompressedBatchBytes } = change;
      return { action: 'cluster.update-settings', targetType: 'cluster', after: { maxUncompressedBatchBytes } };
    }
  }
}

function configText({ kind, value }: { kind: 'set' | 'delete' | 'append' | 'subtract'; value: string }): string {
  switch (kind) {
    case 'set':
      return value;
    case 'delete':
      return 'default';
    case 'append':
      return `with ${value}`;
    case 'subtract':
      return `without ${value}`;
  }
}
