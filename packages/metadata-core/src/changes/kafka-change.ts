// Changes made by Kafka clients, for the audit log. They are in the head of a journal entry, together with the meter,
// because metering reads only that. Changes by the control plane are not included: its use-cases write their own audit
// rows.

import type { GroupConfigOp } from '../model/consumer-groups.types.ts';
import type { AclBinding } from '../model/security.ts';
import type { QuotaOp } from '../model/security.types.ts';
import type { Config, ConfigOp } from '../model/topics.types.ts';

/** A Kafka client, as the agent that it was connected to named it. */
export interface KafkaClient {
  /** The principal, such as "User:alice". */
  principal: string;
  /** As the client sent it, which can be anything. */
  clientId: string;
  /** The client's IP address, as the agent saw it. */
  address: string;
  agentId: string;
  /** The key by which the agent called: the only part that the service knows by itself. */
  agentKeyId: string;
}

export type KafkaChange =
  | { kind: 'topic-created'; name: string; partitions: number; configs: Config[] }
  | { kind: 'topic-deleted'; name: string; partitions: number }
  | { kind: 'partitions-added'; name: string; totalPartitions: number }
  | { kind: 'configs-altered'; name: string; ops: ConfigOp[] }
  /** Without the verifier: the audit log has no secrets. */
  | { kind: 'credential-put'; user: string; mechanism: number; iterations: number; expiresAtMs: number }
  | { kind: 'credential-deleted'; user: string; mechanism: number }
  | { kind: 'acls-created'; acls: AclBinding[] }
  | { kind: 'acls-deleted'; acls: AclBinding[] }
  | { kind: 'quota-altered'; user: string | null; clientId: string | null; ops: QuotaOp[] }
  | { kind: 'group-deleted'; groupId: string }
  | { kind: 'group-configs-altered'; groupId: string; ops: GroupConfigOp[] }
  | { kind: 'client-metrics-altered'; name: string; ops: ConfigOp[] }
  | { kind: 'transaction-aborted'; transactionalId: string }
  | { kind: 'cluster-defaults-altered'; maxUncompressedBatchBytes: number };

/** The changes made by one command of a client. */
export interface ClientChanges {
  client: KafkaClient;
  changes: KafkaChange[];
}
