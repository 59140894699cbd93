'use client';

import { Button, cx, Table, Td, Th, Tr } from '@penstock/ui';
import { formatCount } from '@penstock/units';
import { ChevronRight, Rows3, SlidersHorizontal, Trash2 } from 'lucide-react';
import { Fragment, useId, useState } from 'react';
import { topicMessagesPath } from '../../routes';
import type { LiveTopic } from '../live/live-view';
import { bytesText, PartitionTable } from './partition-table';

/** Beyond it a person filters; a browser need not draw them all. */
const MAX_ROWS = 500;

export function TopicTable({
  clusterId,
  topics,
  onConfigure,
  onDelete,
}: {
  clusterId: string;
  topics: readonly LiveTopic[];
  /** Null for whoever may not. */
  onConfigure: ((topic: LiveTopic) => void) | null;
  /** Null for whoever may not. */
  onDelete: ((topic: LiveTopic) => void) | null;
}) {
  const [openId, setOpenId] = useState<string | null>(null);
  return (
    <>
      <Table label="Topics">
        <thead>
          <tr>
            <Th>Topic</Th>
            <Th numeric>Partitions</Th>
            <Th numeric>Records</Th>
            <Th numeric>Size</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {topics.slice(0, MAX_ROWS).map((topic) => (
            <TopicRows
              key={topic.topicId}
              clusterId={clusterId}
              topic={topic}
              isOpen={openId === topic.topicId}
              onToggle={() => setOpenId((before) => (before === topic.topicId ? null : topic.topicId))}
              onConfigure={onConfigure === null ? null : () => onConfigure(topic)}
              onDelete={onDelete === null ? null : () => onDelete(topic)}
            />
          ))}
        </tbody>
      </Table>
      {topics.length <= MAX_ROWS ? null : (
        <p className="px-5 py-3 text-[0.8125rem] text-ink-3">
          The first {formatCount(MAX_ROWS)} are shown. Filter by name to find another.
        </p>
      )}
    </>
  );
}

type TopicRowsProps = {
  clusterId: string;
  topic: LiveTopic;
  isOpen: boolean;
  onToggle: () => void;
  onConfigure: (() => void) | null;
  onDelete: (() => void) | null;
};

function TopicRows({ clusterId, topic, isOpen, onToggle, onConfigure, onDelete }: TopicRowsProps) {
  const panelId = useId();
  return (
    <Fragment>
      <Tr className={isOpen ? '' : 'hover:bg-hover/60'} data-topic={topic.name}>
        <Td className={cx('max-w-64', isOpen && 'border-b-0')}>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={onToggle}
            className="flex max-w-full items-center gap-2 rounded text-left font-medium text-ink"
          >
            <ChevronRight
              aria-hidden
              className={cx('size-4 shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
            />
            <span className="truncate">{topic.name}</span>
          </button>
        </Td>
        <Td numeric className={isOpen ? 'border-b-0' : ''}>
          {formatCount(topic.partitions.length)}
        </Td>
        <Td numeric className={isOpen ? 'border-b-0' : ''}>
          {formatCount(topic.records)}
        </Td>
        <Td numeric className={isOpen ? 'border-b-0' : ''}>
          {bytesText(topic.storedBytes)}
        </Td>
        <Td className={cx('whitespace-nowrap text-right', isOpen && 'border-b-0')}>
          <Button variant="quiet" size="icon" asChild>
            {/* A page of its own, not a change within this one: it may call the agents, and says so when it is loaded. */}
            <a href={topicMessagesPath(clusterId, topic.name)} aria-label={`Look at messages of topic ${topic.name}`}>
              <Rows3 aria-hidden />
            </a>
          </Button>
          {onConfigure === null ? null : (
            <Button variant="quiet" size="icon" onClick={onConfigure} aria-label={`Configure topic ${topic.name}`}>
              <SlidersHorizontal aria-hidden />
            </Button>
          )}
          {onDelete === null ? null : (
            <Button variant="quiet" size="icon" onClick={onDelete} aria-label={`Delete topic ${topic.name}`}>
              <Trash2 aria-hidden />
            </Button>
          )}
        </Td>
      </Tr>
      {isOpen ? (
        <tr id={panelId}>
          <td colSpan={5} className="border-line border-b px-4 pb-4 sm:px-5">
            {topic.configs.length === 0 ? null : (
              <p className="mb-2 break-all font-mono text-ink-2 text-xs">
                {topic.configs.map(({ name, value }) => `${name}=${value}`).join(' ')}
              </p>
            )}
            <PartitionTable topic={topic} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}
