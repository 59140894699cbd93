// AlterConfigs (Kafka's IncrementalAlterConfigs): applies all ops of a topic, or none.
import { ErrorCode } from '../error-code.ts';
import { changed, type Outcome, unchanged } from '../outcome.ts';
import type { RulesVersion } from '../rules.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import type { ClusterMode } from '../state/settings.ts';
import { describeTopic, topicChars } from '../state/topic.ts';
import {
  configConflict,
  configProblem,
  effectiveConfig,
  isListConfig,
  listItems,
  modeProblem,
} from '../topics/topic-configs.ts';
import { acceptedTopic, type Refusal, refusedTopic } from '../topics/topic-result.ts';
import type { AlterConfigs, ConfigOp, TopicDescription, TopicResult } from './topics.types.ts';

export function alterConfigs(
  state: ClusterState,
  command: AlterConfigs,
  _nowMs: number,
  rules: RulesVersion,
): Outcome<'alter-configs'> {
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
    const refusal = applyConfigOps(configs, ops, state.settings.mode, rules);
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

/** Changes `configs` by all ops. Null: done. Otherwise the reason; some ops may have been applied. */
export function applyConfigOps(
  configs: Map<string, string>,
  ops: readonly ConfigOp[],
  mode: ClusterMode,
  rules: RulesVersion,
): Refusal | null {
  const named = new Set<string>();
  for (const op of ops) {
    if (named.has(op.name)) {
      return { errorCode: ErrorCode.INVALID_REQUEST, message: `The request alters ${op.name.slice(0, 100)} twice.` };
    }
    named.add(op.name);
    if ((op.kind === 'append' || op.kind === 'subtract') && !isListConfig(op.name)) {
      const message = `${op.name.slice(0, 100)} is not a list: use set instead of ${op.kind}.`;
      return { errorCode: ErrorCode.INVALID_CONFIG, message };
    }
    const value = configAfter(effectiveConfig(configs, op.name), op);
    const wanted = value ?? effectiveConfig(new Map(), op.name);
    // A tool that states all configs once more changes nothing.
    const isChanged = configs.get(op.name) !== wanted;
    const problem = configProblem(op.name, wanted, rules) ?? (isChanged ? modeProblem(op.name, wanted, mode) : null);
    if (problem !== null) {
      return { errorCode: ErrorCode.INVALID_CONFIG, message: problem };
    }
    if (value === null) {
      configs.delete(op.name);
    } else {
      configs.set(op.name, value);
    }
  }
  const conflict = configConflict(configs, rules);
  return conflict === null ? null : { errorCode: ErrorCode.INVALID_CONFIG, message: conflict };
}

/** A config's value after the op. Null: the default. */
export function configAfter(before: string, op: ConfigOp): string | null {
  const items = listItems(before);
  switch (op.kind) {
    case 'set':
      return op.value;
    case 'delete':
      return null;
    case 'append':
      return [...items, ...listItems(op.value).filter((item) => !items.includes(item))].join(',');
    case 'subtract': {
      const gone = listItems(op.value);
      return items.filter((item) => !gone.includes(item)).join(',');
    }
  }
}

export function sameConfigs(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}
