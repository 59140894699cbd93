// AlterGroupConfigs (Kafka's IncrementalAlterConfigs on resources of type GROUP): applies all ops of a group, or none.

import { isGroupId } from '../groups/join-checks.ts';
import type { AlterGroupConfigs, AlterGroupConfigsAnswer } from '../model/consumer-groups.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { MAX_GROUP_CONFIGS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { effectiveGroupConfig, GROUP_CONFIGS } from '../state/group-configs.ts';

type Result = AlterGroupConfigsAnswer['results'][number];
type Ops = AlterGroupConfigs['groups'][number]['ops'];

export function alterGroupConfigs(state: ClusterState, command: AlterGroupConfigs): Outcome<'alter-group-configs'> {
  let isChanged = false;
  const results = command.groups.map(({ groupId, ops }): Result => {
    const before = state.groupConfigs.get(groupId) ?? new Map<string, string>();
    const configs = new Map(before);
    const refusal = refusalOf(state, groupId, ops) ?? applyOps(configs, ops);
    if (refusal !== null) {
      return refusal;
    }
    const isSame = configs.size === before.size && [...configs].every(([name, value]) => before.get(name) === value);
    if (!command.validateOnly && !isSame) {
      isChanged = true;
      if (configs.size === 0) {
        state.groupConfigs.delete(groupId);
      } else {
        state.groupConfigs.set(groupId, configs);
      }
    }
    return { errorCode: ErrorCode.NONE, errorMessage: '' };
  });
  return isChanged ? changed({ results }) : unchanged({ results });
}

function refusalOf(state: ClusterState, groupId: string, ops: Ops): Result | null {
  if (!isGroupId(groupId)) {
    return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage: 'Default group resources are not allowed.' };
  }
  if (new Set(ops.map(({ name }) => name)).size < ops.length) {
    return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage: 'The request alters a config twice.' };
  }
  return !state.groupConfigs.has(groupId) && state.groupConfigs.size >= MAX_GROUP_CONFIGS
    ? { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage: `At most ${MAX_GROUP_CONFIGS} groups have configs.` }
    : null;
}

function applyOps(configs: Map<string, string>, ops: Ops): Result | null {
  for (const { name, value } of ops) {
    const definition = GROUP_CONFIGS.get(name);
    if (definition === undefined) {
      return invalid(`Unknown group config name: ${name.slice(0, 100)}`);
    }
    const problem = value === null ? null : definition.problem(value);
    if (problem !== null) {
      return invalid(`Invalid value for configuration ${name}: ${problem}.`);
    }
    if (value === null) {
      configs.delete(name);
    } else {
      configs.set(name, value);
    }
  }
  const heartbeatMs = Number(effectiveGroupConfig(configs, 'consumer.heartbeat.interval.ms'));
  const sessionMs = Number(effectiveGroupConfig(configs, 'consumer.session.timeout.ms'));
  return heartbeatMs < sessionMs
    ? null
    : invalid('consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms.');
}

function invalid(errorMessage: string): Result {
  return { errorCode: ErrorCode.INVALID_CONFIG, errorMessage };
}
