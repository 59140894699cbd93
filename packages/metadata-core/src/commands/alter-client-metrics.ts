// AlterClientMetrics (Kafka's IncrementalAlterConfigs on resources of type CLIENT_METRICS): applies all ops of a subscription, or none.

import { badPattern, type ClientMetrics, isClientMetricsConfig, isIntervalMs } from '../model/client-metrics.ts';
import type { AlterClientMetrics, AlterClientMetricsAnswer } from '../model/client-metrics.types.ts';
import { ErrorCode } from '../model/error-code.ts';
import { MAX_CLIENT_METRICS, MAX_CLIENT_METRICS_NAME_CHARS, MAX_CLIENT_METRICS_VALUE_CHARS } from '../model/limits.ts';
import { changed, type Outcome, unchanged } from '../model/outcome.ts';
import type { ConfigOp } from '../model/topics.types.ts';
import type { ClusterState } from '../state/cluster-state.ts';
import { configAfter } from '../topics/config-ops.ts';
import { listItems } from '../topics/topic-configs.ts';
import { sameConfigs } from './alter-configs.ts';

type Result = AlterClientMetricsAnswer['results'][number];

const NO_CONFIGS: ReadonlyMap<string, string> = new Map();

export function alterClientMetrics(state: ClusterState, command: AlterClientMetrics): Outcome<'alter-client-metrics'> {
  const after = new Map(state.settings.clientMetrics);
  let isChanged = false;
  const results = command.subscriptions.map(({ name, ops }): Result => {
    const before = after.get(name) ?? NO_CONFIGS;
    const configs = new Map(before);
    const refusal = subscriptionRefusal(after, name) ?? applyOps(configs, ops);
    if (refusal !== null) {
      return refusal;
    }
    if (configs.size === 0) {
      after.delete(name);
    } else {
      after.set(name, configs);
    }
    isChanged ||= !sameConfigs(before, configs);
    return { errorCode: ErrorCode.NONE, errorMessage: '' };
  });
  if (!isChanged || command.validateOnly) {
    return unchanged({ results, settings: { ...state.settings } });
  }
  state.settings = { ...state.settings, clientMetrics: after };
  return changed({ results, settings: { ...state.settings } }, { settingsChanged: true });
}

function subscriptionRefusal(subscriptions: ClientMetrics, name: string): Result | null {
  if (name === '' || name.length > MAX_CLIENT_METRICS_NAME_CHARS) {
    const errorMessage = `The name of a subscription has 1 to ${MAX_CLIENT_METRICS_NAME_CHARS} characters.`;
    return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage };
  }
  return !subscriptions.has(name) && subscriptions.size >= MAX_CLIENT_METRICS
    ? { errorCode: ErrorCode.POLICY_VIOLATION, errorMessage: `There are at most ${MAX_CLIENT_METRICS} subscriptions.` }
    : null;
}

function applyOps(configs: Map<string, string>, ops: readonly ConfigOp[]): Result | null {
  if (new Set(ops.map(({ name }) => name)).size < ops.length) {
    return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage: 'The request alters a config twice.' };
  }
  for (const op of ops) {
    const refusal = opRefusal(op);
    if (refusal !== null) {
      return refusal;
    }
    const value = configAfter(configs.get(op.name) ?? '', op);
    const invalid = value === null ? null : valueRefusal(op.name, value);
    if (invalid !== null) {
      return invalid;
    }
    if (value === null) {
      configs.delete(op.name);
    } else {
      configs.set(op.name, value);
    }
  }
  return null;
}

/** The codes are those of Kafka, which does not answer all of them alike. */
function opRefusal({ kind, name }: ConfigOp): Result | null {
  if (!isClientMetricsConfig(name)) {
    const errorMessage = `Unknown client metrics configuration: ${name.slice(0, 100)}`;
    return { errorCode: ErrorCode.INVALID_REQUEST, errorMessage };
  }
  return name === 'interval.ms' && (kind === 'append' || kind === 'subtract')
    ? { errorCode: ErrorCode.INVALID_CONFIG, errorMessage: `interval.ms is not a list: use set instead of ${kind}.` }
    : null;
}

function valueRefusal(name: string, value: string): Result | null {
  if (value.length > MAX_CLIENT_METRICS_VALUE_CHARS) {
    const errorMessage = `The value of ${name} is longer than ${MAX_CLIENT_METRICS_VALUE_CHARS} characters.`;
    return { errorCode: ErrorCode.INVALID_CONFIG, errorMessage };
  }
  if (name === 'interval.ms' && !isIntervalMs(value)) {
    const errorMessage = `Invalid value ${value.slice(0, 100)} for interval.ms: expected 100 to 3600000.`;
    return { errorCode: /^[+-]?\d+$/.test(value) ? ErrorCode.INVALID_REQUEST : ErrorCode.INVALID_CONFIG, errorMessage };
  }
  const bad = name === 'match' ? badPattern(listItems(value)) : undefined;
  return bad === undefined
    ? null
    : { errorCode: ErrorCode.INVALID_CONFIG, errorMessage: `Illegal client matching pattern: ${bad.slice(0, 100)}` };
}
