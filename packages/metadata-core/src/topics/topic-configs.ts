// Topic configs that Kafka clients set: their names, allowed values and defaults (https://kafka.apache.org/documentation/#topicconfigs).
// Configs without a meaning for this storage (segment sizes, flush intervals) are kept and shown but have no effect. Two are ours.
import { MAX_CONFIG_VALUE_CHARS } from '../model/limits.ts';
import type { ClusterMode, ClusterSettings } from '../model/settings.ts';

const MIN_COMPACTION_LAG = 'min.compaction.lag.ms';
const MAX_COMPACTION_LAG = 'max.compaction.lag.ms';
/** Whether the topic's records land in landing buckets: as the cluster's mode says, or never (`standard`). */
const LATENCY = 'penstock.latency';
/** Limits the decompressed size of a batch. Topics without it have the cluster's default. */
export const MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG = 'max.uncompressed.batch.bytes';
const MAX_INT = 2_147_483_647;
const MAX_LONG = 9_223_372_036_854_775_807n;

type Rule =
  | { type: 'integer'; min: bigint; max: bigint }
  | { type: 'boolean' }
  | { type: 'fraction' }
  | { type: 'one-of'; values: readonly string[] }
  | { type: 'list-of'; values: readonly string[] }
  | { type: 'replica-list' };

const int = (min: number): Rule => ({ type: 'integer', min: BigInt(min), max: BigInt(MAX_INT) });
const long = (min: number): Rule => ({ type: 'integer', min: BigInt(min), max: MAX_LONG });

interface ConfigDefinition {
  rule: Rule;
  default: string;
}

/** All known topic configs, by name. */
export const TOPIC_CONFIGS: ReadonlyMap<string, ConfigDefinition> = new Map<string, ConfigDefinition>([
  ['cleanup.policy', { rule: { type: 'list-of', values: ['compact', 'delete'] }, default: 'delete' }],
  [
    'compression.type',
    {
      rule: { type: 'one-of', values: ['uncompressed', 'zstd', 'lz4', 'snappy', 'gzip', 'producer'] },
      default: 'producer',
    },
  ],
  ['compression.gzip.level', { rule: { type: 'integer', min: -1n, max: 9n }, default: '-1' }],
  ['compression.lz4.level', { rule: { type: 'integer', min: 1n, max: 17n }, default: '9' }],
  ['compression.zstd.level', { rule: { type: 'integer', min: -131_072n, max: 22n }, default: '3' }],
  ['delete.retention.ms', { rule: long(0), default: '86400000' }],
  ['file.delete.delay.ms', { rule: long(0), default: '60000' }],
  ['flush.messages', { rule: long(1), default: MAX_LONG.toString() }],
  ['flush.ms', { rule: long(0), default: MAX_LONG.toString() }],
  ['follower.replication.throttled.replicas', { rule: { type: 'replica-list' }, default: '' }],
  ['index.interval.bytes', { rule: int(0), default: '4096' }],
  ['leader.replication.throttled.replicas', { rule: { type: 'replica-list' }, default: '' }],
  ['local.retention.bytes', { rule: long(-2), default: '-2' }],
  ['local.retention.ms', { rule: long(-2), default: '-2' }],
  ['max.compaction.lag.ms', { rule: long(1), default: MAX_LONG.toString() }],
  ['max.message.bytes', { rule: int(0), default: '1048588' }],
  [
    'max.uncompressed.batch.bytes',
    { rule: { type: 'integer', min: 1_024n, max: 1_073_741_824n }, default: '67108864' },
  ],
  ['message.timestamp.after.max.ms', { rule: long(0), default: '3600000' }],
  ['message.timestamp.before.max.ms', { rule: long(0), default: MAX_LONG.toString() }],
  [
    'message.timestamp.type',
    { rule: { type: 'one-of', values: ['CreateTime', 'LogAppendTime'] }, default: 'CreateTime' },
  ],
  ['min.cleanable.dirty.ratio', { rule: { type: 'fraction' }, default: '0.5' }],
  ['min.compaction.lag.ms', { rule: long(0), default: '0' }],
  ['min.insync.replicas', { rule: int(1), default: '1' }],
  ['penstock.latency', { rule: { type: 'one-of', values: ['cluster', 'low', 'standard'] }, default: 'cluster' }],
  ['preallocate', { rule: { type: 'boolean' }, default: 'false' }],
  ['remote.log.copy.disable', { rule: { type: 'boolean' }, default: 'false' }],
  ['remote.log.delete.on.disable', { rule: { type: 'boolean' }, default: 'false' }],
  ['remote.storage.enable', { rule: { type: 'boolean' }, default: 'false' }],
  ['retention.bytes', { rule: long(-1), default: '-1' }],
  ['retention.ms', { rule: long(-1), default: '604800000' }],
  ['segment.bytes', { rule: int(14), default: '1073741824' }],
  ['segment.index.bytes', { rule: int(4), default: '10485760' }],
  ['segment.jitter.ms', { rule: long(0), default: '0' }],
  ['segment.ms', { rule: long(1), default: '604800000' }],
  ['unclean.leader.election.enable', { rule: { type: 'boolean' }, default: 'false' }],
]);

/** Why a config cannot have this value. Null when it can. */
export function configProblem(name: string, value: string): string | null {
  const definition = TOPIC_CONFIGS.get(name);
  if (definition === undefined) {
    return `Unknown topic config name: ${name.slice(0, 100)}.`;
  }
  if (value.length > MAX_CONFIG_VALUE_CHARS) {
    return `The value of ${name} is longer than ${MAX_CONFIG_VALUE_CHARS} characters.`;
  }
  const wrong = ruleProblem(definition.rule, value);
  return wrong === null ? null : `Invalid value "${value.slice(0, 100)}" for ${name}: ${wrong}.`;
}

/** Why a config cannot be set to this value in a cluster of this mode. Null when it can. */
export function modeProblem(name: string, value: string, mode: ClusterMode): string | null {
  return name !== LATENCY || value !== 'low' || mode === 'low-latency'
    ? null
    : `${LATENCY}=low needs a cluster in low-latency mode, and this one is in ${mode} mode. Change the mode of the cluster in the dashboard, or set ${LATENCY}=cluster.`;
}

function ruleProblem(rule: Rule, value: string): string | null {
  switch (rule.type) {
    case 'integer': {
      if (!/^[+-]?\d{1,20}$/.test(value)) {
        return 'expected a whole number';
      }
      const number = BigInt(value.replace(/^\+/, ''));
      return number < rule.min || number > rule.max ? `expected ${rule.min} to ${rule.max}` : null;
    }
    case 'boolean':
      return value === 'true' || value === 'false' ? null : 'expected true or false';
    case 'fraction': {
      const number = Number(value);
      return /^\d*\.?\d+$/.test(value) && number <= 1 ? null : 'expected a number from 0 to 1';
    }
    case 'one-of':
      return rule.values.includes(value) ? null : `expected one of ${rule.values.join(', ')}`;
    case 'list-of': {
      const bad = listItems(value).filter((item) => !rule.values.includes(item));
      return bad.length === 0 ? null : `expected a list of ${rule.values.join(', ')}`;
    }
    case 'replica-list':
      return value === '' || value === '*' || /^\d+:\d+(,\d+:\d+)*$/.test(value)
        ? null
        : 'expected *, or partition:broker pairs';
  }
}

/**
 * Why these configs cannot be combined (LogConfig.validateValues). Null when they can.
 */
export function configConflict(configs: ReadonlyMap<string, string>): string | null {
  const least = effectiveConfig(configs, MIN_COMPACTION_LAG);
  const most = effectiveConfig(configs, MAX_COMPACTION_LAG);
  return BigInt(least) <= BigInt(most)
    ? null
    : `conflict topic config setting ${MIN_COMPACTION_LAG} (${least}) > ${MAX_COMPACTION_LAG} (${most})`;
}

/** Whether the config's value is a list, which `append` and `subtract` need. */
export function isListConfig(name: string): boolean {
  const type = TOPIC_CONFIGS.get(name)?.rule.type;
  return type === 'list-of' || type === 'replica-list';
}

/** The items of a list value. */
export function listItems(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** The effective value: the one set on the topic, else the default. */
export function effectiveConfig(configs: ReadonlyMap<string, string>, name: string): string {
  return configs.get(name) ?? TOPIC_CONFIGS.get(name)?.default ?? '';
}

/** A topic's retention in milliseconds and bytes, null where unlimited. Null when nothing is deleted. */
export function retentionOf(configs: ReadonlyMap<string, string>): { ms: number | null; bytes: number | null } | null {
  if (!listItems(effectiveConfig(configs, 'cleanup.policy')).includes('delete')) {
    return null;
  }
  const ms = Number(effectiveConfig(configs, 'retention.ms'));
  const bytes = Number(effectiveConfig(configs, 'retention.bytes'));
  return { ms: ms < 0 ? null : ms, bytes: bytes < 0 ? null : bytes };
}

/** A topic's compaction settings: milliseconds, and bytes of a batch. */
export interface Compaction {
  /** The share of cleanable bytes that must be dirty before a partition is cleaned. */
  minDirtyRatio: number;
  minLagMs: number;
  maxLagMs: number;
  /** How long a tombstone is kept after the cleaning that first meets it. */
  deleteRetentionMs: number;
  segmentMs: number;
  maxMessageBytes: number;
}

/** Null: the topic is not compacted. */
export function compactionOf(configs: ReadonlyMap<string, string>): Compaction | null {
  if (!isCompacted(configs)) {
    return null;
  }
  // Beyond 2^53 milliseconds the exact number makes no difference.
  const number = (name: string): number => Math.min(Number(effectiveConfig(configs, name)), Number.MAX_SAFE_INTEGER);
  return {
    minDirtyRatio: number('min.cleanable.dirty.ratio'),
    minLagMs: number(MIN_COMPACTION_LAG),
    maxLagMs: number(MAX_COMPACTION_LAG),
    deleteRetentionMs: number('delete.retention.ms'),
    segmentMs: number('segment.ms'),
    maxMessageBytes: number('max.message.bytes'),
  };
}

/** Maximum decompressed size of a batch of a topic, in bytes without its header. */
export function maxUncompressedBatchBytes(
  configs: ReadonlyMap<string, string>,
  { maxUncompressedBatchBytes: clusterDefault }: Pick<ClusterSettings, 'maxUncompressedBatchBytes'>,
): number {
  const own = configs.get(MAX_UNCOMPRESSED_BATCH_BYTES_CONFIG);
  return own === undefined ? clusterDefault : Number(own);
}

export function isCompacted(configs: ReadonlyMap<string, string>): boolean {
  return listItems(effectiveConfig(configs, 'cleanup.policy')).includes('compact');
}
