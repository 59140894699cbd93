// Configs of groups: Kafka's config resource of type GROUP (org.apache.kafka.coordinator.group.GroupConfig of Kafka 4.3).

interface GroupConfigDefinition {
  /** The default in Kafka. */
  readonly default: string;
  /** Why the value is refused; null when it is not. */
  readonly problem: (value: string) => string | null;
}

const integerFrom =
  (min: number, max: number) =>
  (value: string): string | null =>
    /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max ? null : `expected ${min} to ${max}`;

const boolean = (value: string): string | null =>
  value === 'true' || value === 'false' ? null : 'expected true or false';

/**
 * In milliseconds. A broker's operator sets the ranges of the first two, which Kafka's defaults keep narrow: 45,000 to 60,000 and 5,000 to
 * 15,000. Ours begin lower, as those of the classic protocol do.
 */
export const GROUP_CONFIGS = new Map<string, GroupConfigDefinition>([
  ['consumer.assignment.interval.ms', { default: '1000', problem: integerFrom(0, 15_000) }],
  // Assignments are always computed in the background.
  ['consumer.assignor.offload.enable', { default: 'true', problem: boolean }],
  ['consumer.heartbeat.interval.ms', { default: '5000', problem: integerFrom(1_000, 15_000) }],
  ['consumer.session.timeout.ms', { default: '45000', problem: integerFrom(6_000, 60_000) }],
]) as ReadonlyMap<string, GroupConfigDefinition>;

/** By group id: what was set, by name. Immutable: a command replaces the configs of a group. */
export type GroupConfigs = Map<string, ReadonlyMap<string, string>>;

export interface ConsumerTimings {
  readonly sessionTimeoutMs: number;
  readonly heartbeatIntervalMs: number;
  readonly assignmentIntervalMs: number;
}

/** The value in effect. */
export function effectiveGroupConfig(set: ReadonlyMap<string, string> | undefined, name: string): string {
  return set?.get(name) ?? GROUP_CONFIGS.get(name)?.default ?? '';
}

export function consumerTimings(configs: GroupConfigs, groupId: string): ConsumerTimings {
  const set = configs.get(groupId);
  return {
    sessionTimeoutMs: Number(effectiveGroupConfig(set, 'consumer.session.timeout.ms')),
    heartbeatIntervalMs: Number(effectiveGroupConfig(set, 'consumer.heartbeat.interval.ms')),
    assignmentIntervalMs: Number(effectiveGroupConfig(set, 'consumer.assignment.interval.ms')),
  };
}
