// Tables generated from the agent and the contract; see infra/docs/reference.
import { topicConfigTable } from '@penstock/clusters/inputs';
import { Table, Td, Th, Tr } from '@penstock/ui';
import type { ReactNode } from 'react';
import agentMetrics from '../reference/agent-metrics.json' with { type: 'json' };
import clusterMetrics from '../reference/cluster-metrics.json' with { type: 'json' };
import kafkaApis from '../reference/kafka-apis.json' with { type: 'json' };
import { stackCells } from './stack-cells';
import { Code } from './text-parts';

export function ReferenceTable({
  label,
  heads,
  stacks = true,
  children,
}: {
  label: string;
  heads: readonly string[];
  /** False for a table of short values, which fits a narrow window as it is. */
  stacks?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="mt-6 rounded-lg border border-line bg-surface">
      <Table label={label} stacks={stacks}>
        <thead>
          <tr>
            {heads.map((head) => (
              <Th key={head}>{head}</Th>
            ))}
          </tr>
        </thead>
        <tbody>{stacks ? stackCells(children, heads) : children}</tbody>
      </Table>
    </div>
  );
}

export function KafkaApiTable() {
  return (
    <ReferenceTable label="Kafka APIs" heads={['API', 'Key', 'Versions', 'Kafka 4.3', 'Difference']}>
      {kafkaApis.map(({ key, name, versions, kafka, difference }) => (
        <Tr key={key}>
          <Td className="text-ink">{name}</Td>
          <Td>{key}</Td>
          <Td>{rangeOf(versions)}</Td>
          <Td>{rangeOf(kafka)}</Td>
          <Td className="min-w-56">{difference}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}

function rangeOf(versions: { oldest: number; newest: number } | null): string {
  if (versions === null) {
    return 'none';
  }
  const { oldest, newest } = versions;
  return oldest === newest ? String(oldest) : `${oldest} to ${newest}`;
}

/** Configs with an effect, or those without. */
export function TopicConfigTable({ hasEffect }: { hasEffect: boolean }) {
  const chosen = topicConfigTable.filter((config) => config.hasEffect === hasEffect);
  return (
    <ReferenceTable
      label={hasEffect ? 'Topic configs with an effect' : 'Topic configs without an effect'}
      heads={['Config', 'Default', hasEffect ? 'Meaning' : 'Why']}
    >
      {chosen.map((config) => (
        <Tr key={config.name}>
          <Td className="align-top">
            <Code>{config.name}</Code>
          </Td>
          <Td className="align-top font-mono text-xs">{config.default}</Td>
          <Td className="min-w-56 align-top leading-6">{config.meaning.replace(/^Has no effect: /, '')}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}

export function ClusterMetricTable() {
  return (
    <ReferenceTable label="Metrics of a cluster" heads={['Metric', 'Labels', 'Meaning']}>
      {clusterMetrics.map(({ name, labels, help }) => (
        <Tr key={name}>
          <Td className="align-top">
            <Code>{name}</Code>
          </Td>
          <Td className="align-top font-mono text-xs">{labels}</Td>
          <Td className="min-w-56 align-top leading-6">{help}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}

export function AgentMetricTable() {
  return (
    <ReferenceTable label="Metrics of an agent" heads={['Metric', 'Type']}>
      {agentMetrics.map(({ name, type }) => (
        <Tr key={name}>
          <Td>
            <Code>{name}</Code>
          </Td>
          <Td>{type}</Td>
        </Tr>
      ))}
    </ReferenceTable>
  );
}
