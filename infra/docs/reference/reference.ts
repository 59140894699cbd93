// The reference data of the documentation: its sources, and its files.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as limits from '../../../packages/metadata-core/src/model/limits.ts';
import { root } from '../../local/paths.ts';
import { kafkaApis, topicConfigs } from './agent-source.ts';
import { allHelp, epilogueOf, helpOf, type OptionGroup, optionGroups } from './help.ts';
import { compareWithKafka } from './kafka-versions.ts';
import { agentMetrics, clusterMetricFamilies } from './metrics.ts';
import { sentCalls } from './proto.ts';
import { settingsPage } from './settings.ts';

export const referenceFolder = join(root, 'apps/web/features/docs/reference');

/** The table of topic configs, as the key of a file in the folder above. Not only the documentation reads it. */
const TOPIC_CONFIGS_FILE = relative(
  referenceFolder,
  join(root, 'packages/clusters/src/topic/generated/topic-configs.json'),
);

const AGENT_OPTIONS_FILE = 'agent-options.json';
/** The operators' page, as the key of a file in that folder. */
const SETTINGS_FILE = relative(referenceFolder, join(root, 'infra/docs/settings.md'));

const crates = join(root, 'apps/agent/crates');
const contract = join(root, 'packages/metadata-protocol/proto/penstock/metadata/v1/metadata.proto');

const read = (file: string): Promise<string> => readFile(file, 'utf8');

/** File name to content, for data generated from sources only, and from the agent's options as they were generated before. */
export async function referenceFromSources(): Promise<Record<string, unknown>> {
  const messages = join(crates, 'wire/src/messages');
  const sources = await Promise.all((await readdir(messages)).sort().map((name) => read(join(messages, name))));
  const agent = JSON.parse(await read(join(referenceFolder, AGENT_OPTIONS_FILE))) as { groups: OptionGroup[] };
  return {
    [SETTINGS_FILE]: settingsPage(agent.groups),
    'kafka-apis.json': compareWithKafka(kafkaApis(await read(join(crates, 'wire/src/api_key.rs')), sources)),
    [TOPIC_CONFIGS_FILE]: topicConfigs(await read(join(crates, 'handlers/src/configs/topic_configs.rs'))),
    'limits.json': Object.fromEntries(Object.entries(limits).toSorted(([left], [right]) => (left < right ? -1 : 1))),
    'agent-metrics.json': agentMetrics(await read(join(root, 'infra/prometheus/agent-metrics.txt'))),
    'cluster-metrics.json': clusterMetricFamilies(),
    'sent-to-metadata.json': sentCalls(await read(contract), 'MetadataService'),
  };
}

/** File name to content, for data from the binary's help. */
export function referenceFromBinary(binary: string): Record<string, unknown> {
  const help = helpOf(binary, ['agent']);
  return {
    [AGENT_OPTIONS_FILE]: { groups: optionGroups(help), epilogue: epilogueOf(help) },
    'command-line.json': allHelp(binary),
  };
}

/** The content as the files store it: text as it is, all else as JSON. */
export function render(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return `${JSON.stringify(content, null, 2)}\n`;
}
