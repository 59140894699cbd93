// The clients in other languages that a run starts: Apache Kafka's Java client and librdkafka.
import { join } from 'node:path';
import { confluentKafkaPython, javaClassPath } from '../../../infra/local/tools.ts';
import { pythonFolder } from '../support/clients.ts';
import { ClientProgram } from './client-program.ts';
import type { HistoryEvent } from './history.ts';
import { CHURNED_VALUE_BYTES } from './raw-client.ts';

export interface ClientProgramOptions {
  bootstraps: readonly string[];
  /** Topics to write and read, with their numbers of partitions. */
  kept: Readonly<Record<string, number>>;
  /** A topic of one partition that is deleted and recreated; it is only written. Undefined when there is none. */
  churned?: string;
  /** Codec of the Java client; librdkafka uses gzip. */
  codec: 'gzip' | 'zstd';
  /** Records per second and program. */
  recordsPerS: number;
  valueBytes: number;
  write(event: HistoryEvent): void;
}

/** The clients' names in the history. Their producers are idempotent. */
export const programNames = ['java', 'librdkafka'] as const;

export async function startPrograms(options: ClientProgramOptions): Promise<ClientProgram[]> {
  const { bootstraps, kept, churned = '', codec, recordsPerS, valueBytes, write } = options;
  const bootstrap = bootstraps.join(',');
  const classPath = await javaClassPath(join(import.meta.dirname, 'java/HistoryClient.java'));
  const keptList = Object.entries(kept).map(([topic, partitions]) => `${topic}:${partitions}`);
  const javaArgs = {
    ...{ bootstrap, kept: keptList.join(','), churned, codec, 'records-per-s': recordsPerS },
    ...{ 'value-bytes': valueBytes, 'churned-value-bytes': CHURNED_VALUE_BYTES },
  };
  const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', classPath, 'HistoryClient'];
  const args = Object.entries(javaArgs).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const settings = {
    ...{ bootstrap, kept, churned, records_per_s: recordsPerS },
    ...{ value_bytes: valueBytes, churned_value_bytes: CHURNED_VALUE_BYTES },
  };
  const python = [join(pythonFolder, 'history_client.py')];
  return [
    new ClientProgram('java', 'java', [...flags, ...args], '', write),
    new ClientProgram('librdkafka', await confluentKafkaPython(), python, `${JSON.stringify(settings)}\n`, write),
  ];
}
