// AlterConfigs (Kafka's IncrementalAlterConfigs): applies all ops of a topic, or none.

import { ErrorCode } from '../model/error-code.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { AlterConfigs, TopicDescription, TopicResult } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { describeTopic, topicChars } from '../state/topic.ts';
import { applyConfigOps } from '../topics/config-ops.ts';
import { acceptedTopic, refusedTopic } from '../topics/topic-result.ts';

export function alterConfigs(state: ClusterState, command: AlterConfigs): Outcome<'alter-configs'> {
  const results: TopicResult[] = [];
  const altered: TopicDescription[] = [];
  for (const { name, ops } of command.topics) {
    const topic = state.topicsByName.get(name);
    if (topic === undefined) {
      const message = `Topic '${name.slice(0, 300)}' does not exist.`;
      results.push(refusedTopic(name, null, { errorCode: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, message }));
      continue;
    }
    const configs = new Map(topic.configs);
    const refusal = applyConfigOps(configs, ops, state.settings.mode);
    if (refusal !== null) {
      results.push(refusedTopic(name, topic.id, refusal));
      continue;
    }
    const description = describeTopic({ ...topic, configs });
    results.push(acceptedTopic(description));
    if (!command.validateOnly && !sameConfigs(topic.configs, configs)) {
      state.topicChars += topicChars({ ...topic, configs }) - topicChars(topic);
      topic.configs = configs;
      altered.push(description);
    }
  }
  return altered.length === 0
    ? unchanged({ results })
    : changed({ results }, { catalogue: { topics: altered, deletedTopicIds: [], agentsChanged: false } });
}

export function sameConfigs(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
