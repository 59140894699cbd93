'use client';

import { Button, SkeletonRows } from '@penstock/ui';
import { Rows3, SlidersHorizontal, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { type LiveTopicRow, useLiveTopic } from '../../../lib/live';
import { topicMessagesPath } from '../../../lib/routes';
import { type Column, DataTable } from '../../../lib/table';
import { RowToggle } from '../row-toggle';
import { bytesText, PartitionTable } from './partition-table';

interface TopicTableProps {
  clusterId: string;
  topics: readonly LiveTopicRow[];
  /** Null for roles without the permission. */
  onConfigure: ((topic: LiveTopicRow) => void) | null;
  /** Null for roles without the permission. */
  onDelete: ((topic: LiveTopicRow) => void) | null;
}

/** All topics; only the visible rows are drawn. One topic at a time shows its partitions. */
export function TopicTable({ clusterId, topics, onConfigure, onDelete }: TopicTableProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const columns = useMemo((): Column<LiveTopicRow>[] => {
    const toggle = (id: string): void => setOpenId((before) => (before === id ? null : id));
    return [
      {
        key: 'name',
        header: 'Topic',
        stack: 'title',
        track: 'minmax(12rem, 1fr)',
        value: (row) => row.name,
        search: 'value',
        cell: (topic) => (
          <RowToggle
            name={topic.name}
            isOpen={openId === topic.topicId}
            panelId={panelIdOf(topic)}
            onToggle={() => toggle(topic.topicId)}
          />
        ),
      },
      {
        key: 'partitions',
        header: 'Partitions',
        label: 'Partitions',
        track: '7rem',
        numeric: true,
        value: (row) => row.partitions,
      },
      {
        key: 'records',
        header: 'Records',
        label: 'Records',
        track: '9rem',
        numeric: true,
        value: (row) => row.records,
      },
      {
        key: 'size',
        header: 'Size',
        label: 'Size',
        track: '7rem',
        numeric: true,
        value: (row) => row.storedBytes,
        cell: (topic) => bytesText(topic.storedBytes),
      },
    ];
  }, [openId]);
  return (
    <DataTable<LiveTopicRow>
      label="Topics"
      noun="topic"
      address=""
      filterBy="name"
      rows={topics}
      actions={(topic) => (
        <>
          <Button variant="quiet" size="icon" asChild>
            {/* A full load, not a client-side navigation: the page's policy, which lets it call the agents, comes with the document. */}
            <a href={topicMessagesPath(clusterId, topic.name)} aria-label={`View messages of topic ${topic.name}`}>
              <Rows3 aria-hidden />
            </a>
          </Button>
          {onConfigure === null ? null : (
            <Button
              variant="quiet"
              size="icon"
              onClick={() => onConfigure(topic)}
              aria-label={`Configure topic ${topic.name}`}
            >
              <SlidersHorizontal aria-hidden />
            </Button>
          )}
          {onDelete === null ? null : (
            <Button
              variant="quiet"
              size="icon"
              onClick={() => onDelete(topic)}
              aria-label={`Delete topic ${topic.name}`}
            >
              <Trash2 aria-hidden />
            </Button>
          )}
        </>
      )}
      actionsPlace={{ stack: 'aside', track: '9rem' }}
      columns={columns}
      rowKey={(topic) => topic.topicId}
      rowData={(topic) => ({ 'data-topic': topic.name })}
      details={(topic) => (openId === topic.topicId ? <TopicDetails topic={topic} /> : null)}
      inView={{ minWidth: '46rem', className: 'max-h-[44rem] rounded-b-xl', rowHeightPx: 48, overscanRows: 20 }}
    />
  );
}

function panelIdOf({ topicId }: LiveTopicRow): string {
  return `topic-${topicId}`;
}

function TopicDetails({ topic }: { topic: LiveTopicRow }) {
  const live = useLiveTopic(topic.name);
  return (
    <div id={panelIdOf(topic)}>
      {topic.configs.length === 0 ? null : (
        <p className="mb-2 break-all font-mono text-ink-2 text-xs">
          {topic.configs.map(({ name, value }) => `${name}=${value}`).join(' ')}
        </p>
      )}
      {live == null ? <SkeletonRows rows={4} label="Loading partitions" /> : <PartitionTable topic={live} />}
    </div>
  );
}
