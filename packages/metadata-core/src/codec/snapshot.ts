// A snapshot: the whole state of a virtual cluster. Maps keep their order, so that what was restored goes on exactly as what was
// saved, and the same state always gives the same bytes.
import { idFromKey, idKey } from '../ids.ts';
import { formatsOf, NEWEST_RULES, OLDEST_RULES } from '../rules.ts';
import type { AgentRecord, ClusterState, ClusterTotalsState, ProducerIdGrant } from '../state/cluster-state.ts';
import { CLUSTER_MODES, type ClusterSettings } from '../state/settings.ts';
import { rulesCodec } from './agent-commands.ts';
import { answersCodec, answersOfRules1Codec } from './answers.ts';
import { open, seal } from './envelope.ts';
import {
  bigint,
  boolean,
  type Field,
  id,
  list,
  map,
  nullable,
  oneOf,
  record,
  signed,
  text,
  unsigned,
} from './field.ts';
import { fileTableCodec } from './file-table.ts';
import { groupCodec } from './group.ts';
import { topicCodec } from './topic.ts';

/** Version 2 brought the cluster's mode, 3 the rules level and an exact memory of commits. Keep reading the versions before. */
const SNAPSHOT_VERSION = formatsOf(NEWEST_RULES).snapshot;
const FIRST_VERSION_WITH_RULES = 3;
const EXPECTED_BYTES = 64 * 1024;

const settingsOfVersion1 = {
  autoCreateTopics: boolean,
  defaultPartitions: unsigned,
  writesRefused: boolean,
  writesRefusedReason: text,
};

const settingsCodec: Field<ClusterSettings> = record({ ...settingsOfVersion1, mode: oneOf(CLUSTER_MODES) });

/** Clusters had no mode then: they were standard ones. */
const settingsOfVersion1Codec: Field<ClusterSettings> = {
  write: (to, value) => record<Omit<ClusterSettings, 'mode'>>(settingsOfVersion1).write(to, value),
  read: (from) => ({ ...record<Omit<ClusterSettings, 'mode'>>(settingsOfVersion1).read(from), mode: 'standard' }),
};

const agentCodec: Field<AgentRecord> = record({
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

const totalsCodec: Field<ClusterTotalsState> = record({
  uncompressedBytes: bigint,
  storedBytes: bigint,
  records: bigint,
  files: unsigned,
});

const idKeyCodec: Field<string> = {
  write: (to, value) => id.write(to, idFromKey(value)),
  read: (from) => idKey(id.read(from)),
};

const grantCodec: Field<ProducerIdGrant> = record({ producerId: unsigned, grantedAtMs: unsigned });

/** Maps whose keys stand in their values are kept as the list of values. */
type SnapshotImage = Omit<
  ClusterState,
  'rules' | 'agents' | 'topics' | 'topicsByName' | 'partitionCount' | 'groups'
> & {
  agents: AgentRecord[];
  topics: ClusterState['topics'] extends Map<string, infer T> ? T[] : never;
  groups: ClusterState['groups'] extends Map<string, infer G> ? G[] : never;
};

const imageFields = {
  clusterId: text,
  settings: settingsCodec,
  bucket: nullable(text),
  agents: list(agentCodec),
  nextNodeId: unsigned,
  lastMarkedMinute: signed,
  clusterMinutes: unsigned,
  files: fileTableCodec,
  topics: list(topicCodec),
  answers: answersCodec,
  nextProducerId: unsigned,
  producerIdGrants: map(idKeyCodec, grantCodec),
  groups: list(groupCodec),
  totals: totalsCodec,
};
const imageCodec = record<SnapshotImage>(imageFields);
const fieldsOfVersion2 = { ...imageFields, answers: answersOfRules1Codec };
const imageCodecs: Readonly<Record<number, Field<SnapshotImage>>> = {
  1: record<SnapshotImage>({ ...fieldsOfVersion2, settings: settingsOfVersion1Codec }),
  2: record<SnapshotImage>(fieldsOfVersion2),
};

function imageCodecOf(version: number): Field<SnapshotImage> {
  return imageCodecs[version] ?? imageCodec;
}

/** In the format of the cluster's rules level. The same state always gives the same bytes. */
export function encodeSnapshot(state: ClusterState): Uint8Array {
  const { rules, ...rest } = state;
  const image: SnapshotImage = {
    ...rest,
    agents: [...state.agents.values()],
    topics: [...state.topics.values()],
    groups: [...state.groups.values()],
  };
  const version = formatsOf(rules).snapshot;
  return seal(
    version,
    (to) => {
      if (version >= FIRST_VERSION_WITH_RULES) {
        rulesCodec.write(to, rules);
      }
      imageCodecOf(version).write(to, image);
    },
    EXPECTED_BYTES,
  );
}

/** @throws CorruptDataError */
export function decodeSnapshot(bytes: Uint8Array): ClusterState {
  const { rules, image } = open('snapshot', SNAPSHOT_VERSION, bytes, (from, version) => ({
    rules: version >= FIRST_VERSION_WITH_RULES ? rulesCodec.read(from) : OLDEST_RULES,
    image: imageCodecOf(version).read(from),
  }));
  return {
    ...image,
    rules,
    agents: new Map(image.agents.map((agent) => [agent.agentId, agent])),
    topics: new Map(image.topics.map((topic) => [idKey(topic.id), topic])),
    topicsByName: new Map(image.topics.map((topic) => [topic.name, topic])),
    partitionCount: image.topics.reduce((sum, topic) => sum + topic.partitions.length, 0),
    groups: new Map(image.groups.map((group) => [group.groupId, group])),
  };
}
