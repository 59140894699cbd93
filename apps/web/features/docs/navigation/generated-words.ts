// Words of the tables generated from reference data. They are missing from the pages' text, and readers search for them.
import { topicConfigTable } from '@penstock/clusters/inputs';
import agentMetrics from '../reference/agent-metrics.json' with { type: 'json' };
import agentOptions from '../reference/agent-options.json' with { type: 'json' };
import clusterMetrics from '../reference/cluster-metrics.json' with { type: 'json' };
import commands from '../reference/command-line.json' with { type: 'json' };
import kafkaApis from '../reference/kafka-apis.json' with { type: 'json' };

function namesOf(rows: readonly { name: string }[]): string {
  return rows
    .map(({ name }) => name)
    .join(' ')
    .toLowerCase();
}

/** By page and heading, as `slug#heading`. */
export const GENERATED_WORDS: Readonly<Record<string, string>> = {
  'agent#options': agentOptions.groups
    .flatMap(({ options }) => options.flatMap(({ flag, variable }) => [flag, variable ?? '']))
    .join(' ')
    .toLowerCase(),
  'command-line#commands': commands.map(({ command }) => command).join(' '),
  'kafka#apis-and-versions': namesOf(kafkaApis),
  'kafka#topic-configs': namesOf(topicConfigTable),
  'metrics#agent-metrics': namesOf(agentMetrics),
  'metrics#cluster-metrics': namesOf(clusterMetrics),
};
