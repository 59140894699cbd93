// Commands about topics. Each answers one result per topic, in the order of the request.
import type { Id } from '../ids.ts';

/** A topic as clients and the dashboard see it. */
export interface TopicDescription {
  topicId: Id;
  name: string;
  partitions: number;
  /** Only those set on the topic. */
  configs: Config[];
  createdAtMs: number;
}
export interface Config {
  name: string;
  value: string;
}

export interface TopicResult {
  name: string;
  /** Absent where the topic is not known. */
  topicId: Id | null;
  errorCode: number;
  /** Empty when there was no error. */
  errorMessage: string;
  /** After the change (or, for validateOnly, as it would be); null with an error. */
  topic: TopicDescription | null;
}
export interface TopicResults {
  results: TopicResult[];
}

export interface CreateTopics {
  kind: 'create-topics';
  topics: NewTopic[];
  validateOnly: boolean;
}
export interface NewTopic {
  name: string;
  /** Chosen by the caller (random UUID); used when the topic is created. */
  topicId: Id;
  /** -1: the cluster's default. */
  partitions: number;
  configs: Config[];
}

/** Results: names first, then ids, in their orders. */
export interface DeleteTopics {
  kind: 'delete-topics';
  names: string[];
  topicIds: Id[];
}

export interface CreatePartitions {
  kind: 'create-partitions';
  topics: { name: string; totalPartitions: number }[];
  validateOnly: boolean;
}

export interface AlterConfigs {
  kind: 'alter-configs';
  topics: { name: string; ops: ConfigOp[] }[];
  validateOnly: boolean;
}
/** `append` and `subtract` apply to list-valued configs (cleanup.policy). `value` is ignored for `delete`. */
export interface ConfigOp {
  kind: 'set' | 'delete' | 'append' | 'subtract';
  name: string;
  value: string;
}
