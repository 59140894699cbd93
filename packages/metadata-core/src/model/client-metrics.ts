// Subscriptions to the metrics of clients: Kafka's config resource of type CLIENT_METRICS (KIP-714).

/** By the subscription's name: the configs that were set. Commands replace it, and never change it. */
export type ClientMetrics = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** org.apache.kafka.server.metrics.ClientMetricsConfigs of Kafka 4.3. */
export const CLIENT_METRICS_CONFIGS = ['interval.ms', 'match', 'metrics'] as const;
export type ClientMetricsConfig = (typeof CLIENT_METRICS_CONFIGS)[number];

const MIN_INTERVAL_MS = 100;
const MAX_INTERVAL_MS = 3_600_000;

/** The keys by which a subscription may select clients. */
const MATCH_KEYS: ReadonlySet<string> = new Set([
  'client_id',
  'client_instance_id',
  'client_software_name',
  'client_software_version',
  'client_source_address',
  'client_source_port',
]);

export function isClientMetricsConfig(name: string): name is ClientMetricsConfig {
  return CLIENT_METRICS_CONFIGS.some((known) => known === name);
}

export function isIntervalMs(value: string): boolean {
  return /^\d{1,9}$/.test(value) && Number(value) >= MIN_INTERVAL_MS && Number(value) <= MAX_INTERVAL_MS;
}

/** The first of the patterns that has not the form `key=regular expression`. The agent, which runs them, checks the expressions. */
export function badPattern(patterns: readonly string[]): string | undefined {
  return patterns.find((pattern) => {
    const [key, ...values] = pattern.split('=');
    return values.length !== 1 || !MATCH_KEYS.has((key ?? '').trim());
  });
}
