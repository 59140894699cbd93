// Validates what an agent reports of the metrics that Kafka clients pushed. Clients choose their ids, and these are shown to people, so each is
// short, and what cannot be shown is replaced. A client id that breaks a rule is left out, and so is a metric that this version doesn't know.
// Pure.
import type { ClientTelemetry } from '@penstock/metadata-protocol';
import {
  type ClientMetricName,
  type ClientReadings,
  type ClientSample,
  clientMetricOf,
  mergeClientSamples,
} from '@penstock/telemetry';
import { isShort, printable } from './printable.ts';

/** The most of one agent and window. */
const MAX_CLIENTS = 100;
const MAX_CLIENT_ID_LENGTH = 255;
const MAX_SOFTWARE_LENGTH = 64;
const MAX_INSTANCES = 50;
const INSTANCE_ID_BYTES = 16;
/** Metrics of one client; later versions may have more than this one knows. */
const MAX_METRICS = 200;
/** A client may push every 100 ms, and fifty of them share an id. */
const MAX_READINGS = 1_000_000;
/** Beyond all bytes, records and milliseconds that a client can measure. */
const MAX_VALUE = 1e18;

export interface CheckedClients {
  /** The samples, by client id. */
  clients: ReadonlyMap<string, ClientSample>;
  /** Why entries were left out, once per entry. */
  refused: { reason: string }[];
}

/** Turns the messages of one window into what is stored. */
export function checkClients(messages: readonly ClientTelemetry[]): CheckedClients {
  const refused: { reason: string }[] = [];
  const clients = new Map<string, ClientSample>();
  if (messages.length > MAX_CLIENTS) {
    refused.push({ reason: `clients: more than ${MAX_CLIENTS} client IDs` });
  }
  for (const message of messages.slice(0, MAX_CLIENTS)) {
    const fault = faultOf(message);
    if (fault !== undefined) {
      refused.push({ reason: `clients: ${fault}` });
      continue;
    }
    const clientId = printable(message.clientId);
    const before = clients.get(clientId);
    const sample = sampleOf(message);
    // Two ids may look the same once they can be shown.
    clients.set(clientId, before === undefined ? sample : mergeClientSamples([before, sample]));
  }
  return { clients, refused };
}

function faultOf({
  clientId,
  softwareName,
  softwareVersion,
  instanceIds,
  metrics,
}: ClientTelemetry): string | undefined {
  if (!isShort(clientId, MAX_CLIENT_ID_LENGTH)) {
    return 'a client ID is too long';
  }
  if (![softwareName, softwareVersion].every((text) => isShort(text, MAX_SOFTWARE_LENGTH))) {
    return 'the name or version of a client’s software is too long';
  }
  if (instanceIds.length > MAX_INSTANCES || instanceIds.some(({ length }) => length !== INSTANCE_ID_BYTES)) {
    return `a client ID has at most ${MAX_INSTANCES} instances, whose IDs have ${INSTANCE_ID_BYTES} bytes`;
  }
  if (metrics.length > MAX_METRICS) {
    return `a client ID has at most ${MAX_METRICS} metrics`;
  }
  const isPossible = metrics.every(
    ({ readings, sum, max }) =>
      readings >= 1 && readings <= MAX_READINGS && Math.abs(sum) <= MAX_VALUE && Math.abs(max) <= MAX_VALUE,
  );
  return isPossible ? undefined : 'a metric has impossible readings';
}

function sampleOf({ softwareName, softwareVersion, instanceIds, metrics }: ClientTelemetry): ClientSample {
  const read = new Map<ClientMetricName, ClientReadings>();
  for (const { metric, readings, sum, max } of metrics) {
    const name = clientMetricOf(metric);
    if (name !== undefined) {
      read.set(name, { readings, sum, max });
    }
  }
  return {
    software: softwareName === '' ? [] : [[printable(softwareName), printable(softwareVersion)]],
    instances: [...new Set(instanceIds.map((id) => Buffer.from(id).toString('base64url')))].sort(),
    metrics: read,
  };
}
