// Snapshot format of the data that a virtual cluster has once: settings, agents, counters.

import type { ByteReader } from '../bytes/byte-reader.ts';
import { CorruptDataError } from '../model/corrupt-data-error.ts';
import { CLUSTER_MODES, type EarlySettings } from '../model/settings.ts';
import type { AgentRecord, ClusterState, ClusterTotalsState } from '../state/cluster-state.ts';
import type { ProducerIdMark } from '../state/producer-id-marks.ts';
import { rulesCodec } from './agent-commands.ts';
import { bigint, boolean, type Field, list, nullable, oneOf, record, signed, text, unsigned } from './field.ts';
import type { Item } from './section.ts';

export const settingsCodec: Field<EarlySettings> = record({
  autoCreateTopics: boolean,
  defaultPartitions: unsigned,
  writesRefused: boolean,
  writesRefusedReason: text,
  mode: oneOf(CLUSTER_MODES),
});

const agentFields: Field<Omit<AgentRecord, 'keyId'>> = record({
  agentId: text,
  nodeId: unsigned,
  zone: text,
  version: text,
  advertisedHost: text,
  advertisedPort: unsigned,
  bucket: text,
  registeredAtMs: unsigned,
  leftAtMs: nullable(unsigned),
});

/** Keys are in a section of their own, which is read next. */
export const agentsCodec: Field<AgentRecord[]> = list({
  write: (to, agent) => agentFields.write(to, agent),
  read: (from) => ({ ...agentFields.read(from), keyId: '' }),
});

const agentKeyCodec = record<{ agentId: string; keyId: string }>({ agentId: text, keyId: text });

export function* agentKeyItems(agents: readonly AgentRecord[]): Iterable<Item> {
  for (const { agentId, keyId } of agents) {
    yield (to) => agentKeyCodec.write(to, { agentId, keyId });
  }
}

/** @throws CorruptDataError when no such agent was in the sections before */
export function readAgentKey(from: ByteReader, agents: ReadonlyMap<string, AgentRecord>): void {
  const { agentId, keyId } = agentKeyCodec.read(from);
  const agent = agents.get(agentId);
  if (agent === undefined) {
    throw new CorruptDataError('snapshot: a key belongs to no agent');
  }
  agent.keyId = keyId;
}

const producerIdMarkCodec: Field<ProducerIdMark> = record({ firstId: unsigned, grantedFromMs: unsigned });

export const totalsCodec: Field<ClusterTotalsState> = record({
  uncompressedBytes: bigint,
  storedBytes: bigint,
  records: bigint,
  files: unsigned,
});

export interface ClusterHead
  extends Pick<
    ClusterState,
    | 'clusterId'
    | 'rules'
    | 'bucket'
    | 'nextNodeId'
    | 'lastMarkedMinute'
    | 'clusterMinutes'
    | 'nextProducerId'
    | 'producerIdMarks'
    | 'totals'
  > {
  /** Later ones are in a section of their own. */
  settings: EarlySettings;
  agents: AgentRecord[];
  /** For the commit memory, see `CommitAnswersImage`. */
  forgottenUpToMs: number;
  answeredMs: readonly number[];
}

export const clusterHeadCodec: Field<ClusterHead> = record({
  clusterId: text,
  rules: rulesCodec,
  settings: settingsCodec,
  bucket: nullable(text),
  agents: agentsCodec,
  nextNodeId: unsigned,
  lastMarkedMinute: signed,
  clusterMinutes: unsigned,
  nextProducerId: unsigned,
  producerIdMarks: list(producerIdMarkCodec),
  totals: totalsCodec,
  forgottenUpToMs: signed,
  answeredMs: list(unsigned) as Field<readonly number[]>,
});
