// A topic with its partitions and the configs set on it.

import type { Id } from '../model/ids.ts';
import type { TopicDescription } from '../model/topics.types.ts';
import type { Partition } from './partition.types.ts';

export interface Topic {
  id: Id;
  name: string;
  partitions: Partition[];
  /** Set on the topic; in the order in which they were first set. */
  configs: Map<string, string>;
  createdAtMs: number;
  /** Producer ids from this one on were granted after the topic was created. */
  firstProducerId: number;
}

/** The characters of its name and its configs. */
export function topicChars({ name, configs }: Pick<Topic, 'name' | 'configs'>): number {
  let chars = name.length;
  for (const [config, value] of configs) {
    chars += config.length + value.length;
  }
  return chars;
}

export function describeTopic(topic: Topic): TopicDescription {
  return {
    topicId: topic.id,
    name: topic.name,
    partitions: topic.partitions.length,
    configs: [...topic.configs].map(([name, value]) => ({ name, value })),
    createdAtMs: topic.createdAtMs,
  };
}
