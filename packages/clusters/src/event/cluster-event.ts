// An event of a cluster, and its form as a CloudEvent 1.0 (JSON format).
import type { Prisma } from '@penstock/database/client';

/** Stable, because programs use them. */
export const clusterEventTypes = [
  'io.penstock.health.raised',
  'io.penstock.health.resolved',
  'io.penstock.agent.joined',
  'io.penstock.agent.back',
  'io.penstock.agent.left',
  'io.penstock.agent.lost',
  'io.penstock.agents.changed',
  'io.penstock.agent-key.new-network',
  'io.penstock.agent-key.refused',
  'io.penstock.agent-key.expiring',
  'io.penstock.agent-address.pending',
  'io.penstock.agent-address.refused',
  'io.penstock.silence.created',
  'io.penstock.silence.ended',
] as const;
export type ClusterEventType = (typeof clusterEventTypes)[number];

export type EventSeverity = 'info' | 'warning' | 'critical';

export interface NewClusterEvent {
  type: ClusterEventType;
  /** The event's subject within the cluster, e.g. `agent/12`, `zone/a`, `group/orders`; null for the cluster itself. */
  subject: string | null;
  severity: EventSeverity;
  /** A sentence for people. */
  text: string;
  /** Structured data for programs. */
  data: Prisma.InputJsonObject;
}

/** An event in the format of https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */
export interface CloudEvent {
  specversion: '1.0';
  id: string;
  source: string;
  type: string;
  subject?: string;
  /** The time in RFC 3339. */
  time: string;
  datacontenttype: 'application/json';
  data: Readonly<Record<string, unknown>>;
}

export interface ClusterEventRow {
  id: string;
  clusterId: string;
  organizationId: string;
  type: string;
  subject: string | null;
  severity: string;
  text: string;
  data: unknown;
  at: Date;
}

/** Puts the severity and the sentence into the data, because CloudEvents has no attributes for them. */
export function toCloudEvent(row: ClusterEventRow): CloudEvent {
  const data = typeof row.data === 'object' && row.data !== null && !Array.isArray(row.data) ? row.data : {};
  return {
    specversion: '1.0',
    id: row.id,
    source: `/organizations/${row.organizationId}/clusters/${row.clusterId}`,
    type: row.type,
    ...(row.subject === null ? {} : { subject: row.subject }),
    time: row.at.toISOString(),
    datacontenttype: 'application/json',
    data: { severity: row.severity, text: row.text, ...data },
  };
}
