'use client';

import { Badge, Button, Card, cx, EmptyState, SkeletonRows, Table, Td, Th, type Tone, Tr } from '@penstock/ui';
import { formatCount, formatDurationMs, SECOND_MS } from '@penstock/units';
import { ChevronRight, Users } from 'lucide-react';
import Link from 'next/link';
import { Fragment, useId, useState } from 'react';
import { clusterPath } from '../../routes';
import { useMay } from '../../session';
import { VirtualTable } from '../../virtual-table';
import { useLiveCluster } from '../live/live-cluster';
import type { LiveGroup } from '../live/live-view';
import { NameFilter } from '../name-filter';
import { ResetOffsetsDialog } from './reset-offsets-dialog';

const STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  Stable: { tone: 'ok', label: 'Stable' },
  Empty: { tone: 'neutral', label: 'Empty' },
  PreparingRebalance: { tone: 'accent', label: 'Preparing rebalance' },
  CompletingRebalance: { tone: 'accent', label: 'Completing rebalance' },
  Dead: { tone: 'warn', label: 'Dead' },
};

/** From so many groups on there is a filter; beyond the other number a person filters, and a browser need not draw them all. */
const FILTER_FROM = 10;
const MAX_ROWS = 200;

export function GroupsSection({ clusterId }: { clusterId: string }) {
  const { view } = useLiveCluster();
  const [openId, setOpenId] = useState<string | null>(null);
  const [filter, setFilter] = useState('');
  const groups = view?.groups ?? [];
  const shown = groups.filter(({ groupId }) => groupId.includes(filter.trim()));
  return (
    <Card
      title="Consumer groups"
      description="Lag in records: from the committed offset to the high watermark. Lag in time: the age of the oldest record that is not consumed, by its timestamp, to the flush interval of the agents."
      flush
    >
      {view === null ? (
        <SkeletonRows rows={3} label="Loading consumer groups" />
      ) : view.groups.length === 0 ? (
        <EmptyState icon={<Users />} title="No consumer groups yet">
          A group appears when its first consumer joins or commits an offset.{' '}
          <Link
            href={clusterPath(clusterId, 'connect')}
            className="font-medium text-accent-ink underline underline-offset-4"
          >
            Client snippets
          </Link>
        </EmptyState>
      ) : (
        <>
          {groups.length < FILTER_FROM ? null : (
            <NameFilter
              of="consumer groups"
              value={filter}
              onChange={setFilter}
              status={`${formatCount(shown.length)} of ${formatCount(groups.length)} groups${shown.length > MAX_ROWS ? `, the first ${formatCount(MAX_ROWS)} are shown` : ''}`}
            />
          )}
          {shown.length > 0 ? null : (
            <EmptyState title="No group has that in its name">Upper and lower case count.</EmptyState>
          )}
          <Table label="Consumer groups">
            <thead>
              <tr>
                <Th>Group</Th>
                <Th>State</Th>
                <Th numeric>Members</Th>
                <Th numeric>Partitions</Th>
                <Th numeric>Total lag, records</Th>
                <Th numeric>Longest lag, time</Th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MAX_ROWS).map((group) => (
                <GroupRows
                  key={group.groupId}
                  clusterId={clusterId}
                  group={group}
                  isOpen={openId === group.groupId}
                  onToggle={() => setOpenId((before) => (before === group.groupId ? null : group.groupId))}
                />
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Card>
  );
}

type GroupRowsProps = { clusterId: string; group: LiveGroup; isOpen: boolean; onToggle: () => void };

function GroupRows({ clusterId, group, isOpen, onToggle }: GroupRowsProps) {
  const panelId = useId();
  const state = STATES[group.state] ?? { tone: 'neutral', label: group.state };
  return (
    <Fragment>
      <Tr className={isOpen ? '[&>td]:border-b-0' : 'hover:bg-hover/60'} data-group={group.groupId}>
        <Td className="max-w-72">
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
            <span className="truncate">{group.groupId}</span>
          </button>
        </Td>
        <Td>
          <Badge tone={state.tone} dot>
            {state.label}
          </Badge>
        </Td>
        <Td numeric>{formatCount(group.members.length)}</Td>
        <Td numeric>{formatCount(group.offsets.length)}</Td>
        <Td numeric data-lag={group.totalLagRecords}>
          {formatCount(group.totalLagRecords)}
        </Td>
        <Td numeric>{lagTimeText(group.maxLagSeconds)}</Td>
      </Tr>
      {isOpen ? (
        <tr id={panelId}>
          <td colSpan={6} className="border-line border-b px-4 pb-4 sm:px-5">
            <GroupDetails clusterId={clusterId} group={group} />
          </td>
        </tr>
      ) : null}
    </Fragment>
  );
}

/** Records without timestamps have no age. */
function lagTimeText(lagSeconds: number | null): string {
  if (lagSeconds === null) return '–';
  return lagSeconds === 0 ? '0 s' : formatDurationMs(lagSeconds * SECOND_MS);
}

function byTopicAndPartition(left: LiveGroup['offsets'][number], right: LiveGroup['offsets'][number]): number {
  return left.topic.localeCompare(right.topic) || left.partition - right.partition;
}

function GroupDetails({ clusterId, group }: { clusterId: string; group: LiveGroup }) {
  const mayReset = useMay()('topic:write');
  const [isResetting, setIsResetting] = useState(false);
  // Of a topic that is gone there is nothing to set.
  const { view } = useLiveCluster();
  const topics = [...new Set(group.offsets.map(({ topic }) => topic))]
    .filter((name) => view?.topics.some((topic) => topic.name === name))
    .sort();
  return (
    <div className="flex flex-col gap-4">
      {group.members.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No member at the moment. Committed offsets stay.</p>
      ) : (
        <div>
          <h3 className="mb-2 font-medium text-[0.8125rem] text-ink">
            Members{group.protocolName === '' ? '' : `, assigned by ${group.protocolName}`}
          </h3>
          <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
            {group.members.map((member) => (
              <li key={member.memberId} className="min-w-0 rounded-lg border border-line bg-inset px-3 py-2">
                <p className="truncate font-medium text-[0.8125rem] text-ink">{member.clientId}</p>
                <p className="truncate font-mono text-ink-3 text-xs" title={member.memberId}>
                  {member.memberId}
                </p>
                <p className="truncate text-ink-3 text-xs">
                  {member.clientHost}
                  {member.groupInstanceId === null ? '' : `, instance ${member.groupInstanceId}`}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      {group.offsets.length === 0 ? (
        <p className="text-[0.8125rem] text-ink-3">No offsets committed yet.</p>
      ) : (
        <VirtualTable
          label={`Lag of ${group.groupId} per partition`}
          rows={group.offsets.toSorted(byTopicAndPartition)}
          rowKey={(offset) => `${offset.topic}/${offset.partition}`}
          minWidth="34rem"
          columns={[
            { key: 'topic', header: 'Topic', track: '2fr', cell: (row) => row.topic },
            { key: 'partition', header: 'Partition', track: '6rem', numeric: true, cell: (row) => row.partition },
            {
              key: 'committed',
              header: 'Committed offset',
              track: '1fr',
              numeric: true,
              cell: (row) => (row.committedOffset < 0 ? 'none' : formatCount(row.committedOffset)),
            },
            {
              key: 'lag',
              header: 'Lag, records',
              track: '1fr',
              numeric: true,
              cell: (row) => formatCount(row.lagRecords),
            },
            {
              key: 'time',
              header: 'Lag, time',
              track: '1fr',
              numeric: true,
              cell: (row) => lagTimeText(row.lagSeconds),
            },
          ]}
        />
      )}
      {!mayReset || topics.length === 0 ? null : (
        <div>
          <Button size="sm" onClick={() => setIsResetting(true)}>
            Reset offsets…
          </Button>
          <ResetOffsetsDialog
            clusterId={clusterId}
            group={group}
            topics={topics}
            open={isResetting}
            onClose={() => setIsResetting(false)}
          />
        </div>
      )}
    </div>
  );
}
