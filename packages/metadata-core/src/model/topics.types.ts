// The types of commands about topics. Each returns one result per topic, in the order of the request.
import type { Id } from './ids.ts';

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
  /** Null when the topic is unknown. */
  topicId: Id | null;
  errorCode: number;
  /** Empty when there was no error. */
  errorMessage: string;
  /** The topic after the change (or, for validateOnly, as it would be). Null with an error. */
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
  /** A random UUID chosen by the caller, used when the topic is created. */
  topicId: Id;
  /** -1: the cluster's default. */
  partitions: number;
  configs: Config[];
}

/** Results are in the order of the request: names first, then ids. */
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
