import { kafkaApiName, kafkaErrorName } from '@penstock/telemetry';

/**
 * The label of a line in a metrics response: `p99`, `Produce` for `api:0`, `Produce: NOT_LEADER_OR_FOLLOWER` for `api:0:6`; empty for
 * `value`.
 */
export function lineNameText(name: string): string {
  if (name === 'value') {
    return '';
  }
  const [kind, apiKey, code] = name.split(':');
  if (kind !== 'api' || apiKey === undefined) {
    return name;
  }
  const api = kafkaApiName(Number(apiKey));
  return code === undefined ? api : `${api}: ${kafkaErrorName(Number(code))}`;
}
