'use client';

import { type TopicConfigDefinition, topicConfigTable } from '@penstock/clusters/inputs';
import { Badge, Button, Card, SkeletonRows } from '@penstock/ui';
import { Fragment, useState } from 'react';
import { type LiveTopic, useLiveTopic } from '../../../lib/live';
import { useMay } from '../../../lib/session';
import { type Column, DataTable } from '../../../lib/table';
import { EditConfigDialog } from './edit-config-dialog';
import { meaningText, readableValue } from './topic-configs';
import { TopicMissing } from './topic-missing';

/** All configs of a topic with their meaning: those with an effect, then the others. */
export function TopicConfigsSection({ clusterId, topicName }: { clusterId: string; topicName: string }) {
  const topic = useLiveTopic(topicName);
  const mayWrite = useMay()('topic:write');
  const [editing, setEditing] = useState<TopicConfigDefinition | null>(null);
  if (topic === null) {
    return <TopicMissing topicName={topicName} />;
  }
  return (
    <div className="flex flex-col gap-6">
      <Card
        title="Configuration"
        description="Kafka clients can also read and set these values. Agents apply a change within seconds."
        flush
      >
        {topic === undefined ? (
          <SkeletonRows rows={6} label="Loading the configuration" />
        ) : (
          <ConfigTable topic={topic} hasEffect onEdit={mayWrite ? setEditing : null} />
        )}
      </Card>
      <Card
        title="Configs without an effect"
        description="Kafka’s tools can set them, and they are kept and shown. They change nothing, because records are in object storage."
        flush
      >
        {topic === undefined ? (
          <SkeletonRows rows={6} label="Loading the configuration" />
        ) : (
          <ConfigTable topic={topic} hasEffect={false} onEdit={null} />
        )}
      </Card>
      {topic === undefined ? null : (
        <EditConfigDialog clusterId={clusterId} topic={topic} config={editing} onClose={() => setEditing(null)} />
      )}
    </div>
  );
}

interface ConfigTableProps {
  topic: LiveTopic;
  hasEffect: boolean;
  /** Null for roles without the permission, and for configs that change nothing. */
  onEdit: ((config: TopicConfigDefinition) => void) | null;
}

function ConfigTable({ topic, hasEffect, onEdit }: ConfigTableProps) {
  const set = new Map(topic.configs.map(({ name, value }) => [name, value]));
  const valueIn = (config: TopicConfigDefinition) => set.get(config.name) ?? config.default;
  const columns: Column<TopicConfigDefinition>[] = [
    {
      key: 'config',
      header: 'Config',
      stack: 'title',
      className: 'align-top font-mono text-ink text-xs leading-6',
      value: ({ name }) => name,
      search: 'value',
      cell: ({ name }) => breakable(name),
    },
    {
      key: 'value',
      header: 'Value',
      label: 'Value',
      className: 'min-w-44 align-top',
      value: valueIn,
      cell: (config) => {
        const value = valueIn(config);
        const readable = readableValue(config, value);
        return (
          <>
            <span className="nums break-all font-mono text-ink text-xs leading-6">{value === '' ? 'none' : value}</span>
            {set.has(config.name) ? (
              <Badge tone="accent">Set</Badge>
            ) : (
              <span className="block text-ink-3 text-xs">Default</span>
            )}
            {readable === null ? null : <span className="block text-ink-3 text-xs">{readable}</span>}
          </>
        );
      },
    },
    {
      key: 'meaning',
      header: hasEffect ? 'Meaning' : 'Why',
      className: 'min-w-56 align-top text-ink-2 leading-6',
      value: meaningText,
    },
  ];
  return (
    <DataTable
      label={hasEffect ? 'Configs with an effect' : 'Configs without an effect'}
      noun="config"
      address={hasEffect ? 'configs' : 'others'}
      filterBy="name"
      rows={topicConfigTable.filter((config) => config.hasEffect === hasEffect)}
      rowKey={({ name }) => name}
      rowData={({ name }) => ({ 'data-config': name })}
      {...(onEdit === null
        ? {}
        : {
            actions: (config: TopicConfigDefinition) => (
              <Button size="sm" onClick={() => onEdit(config)} aria-label={`Edit ${config.name}`}>
                Edit
              </Button>
            ),
          })}
      actionsPlace={{ stack: 'aside', className: 'align-top' }}
      columns={columns}
    />
  );
}

/** The name of a config, which a narrow column may break after its dots. */
function breakable(name: string) {
  return name.split('.').map((part, place) => (
    <Fragment key={part}>
      {place === 0 ? '' : '.'}
      {place === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
}
