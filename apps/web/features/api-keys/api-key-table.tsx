'use client';

import type { Role } from '@penstock/tenancy/permissions';
import { Badge, Button } from '@penstock/ui';
import { ROLE_TEXTS } from '../../lib/roles';
import { type Column, DataTable } from '../../lib/table';
import { useNow } from '../../lib/time';
import type { ApiKey } from './api-key.types';
import { keyState } from './key-state';

interface ApiKeyTableProps {
  keys: readonly ApiKey[];
  /** Keys with other roles are shown without actions. */
  reach: readonly Role[];
  onRotate: (key: ApiKey) => void;
  onRevoke: (key: ApiKey) => void;
}

export function ApiKeyTable({ keys, reach, onRotate, onRevoke }: ApiKeyTableProps) {
  const nowMs = useNow();
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: 'Name',
      stack: 'title',
      className: 'min-w-32 font-medium text-ink',
      value: ({ name }) => name,
      search: 'value',
    },
    {
      key: 'key',
      header: 'Key',
      className: 'whitespace-nowrap font-mono text-xs',
      value: ({ displayPrefix, displayLast4 }) => `${displayPrefix}…${displayLast4}`,
    },
    {
      key: 'role',
      header: 'Role',
      className: 'whitespace-nowrap',
      value: ({ role, isReadOnly }) => `${ROLE_TEXTS[role].label}${isReadOnly ? ', read-only' : ''}`,
      cell: ({ role, isReadOnly }) => (
        <>
          {ROLE_TEXTS[role].label}
          {isReadOnly ? <span className="block text-ink-3 text-xs @max-xl:ml-2 @max-xl:inline">read-only</span> : null}
        </>
      ),
    },
    {
      key: 'state',
      header: 'State',
      stack: 'aside',
      className: 'whitespace-nowrap',
      value: (key) => STATES[keyState(key, nowMs)].label,
      cell: (key) => {
        const { tone, label } = STATES[keyState(key, nowMs)];
        return (
          <Badge tone={tone} dot>
            {label}
          </Badge>
        );
      },
    },
    { key: 'expires', header: 'Expires', label: 'Expires', value: ({ expiresAt }) => expiresAt, none: 'never' },
    {
      key: 'used',
      header: 'Last used',
      label: 'Used',
      value: ({ lastUsedAt }) => lastUsedAt,
      none: 'never',
      isAgo: true,
    },
    { key: 'created', header: 'Created', label: 'Created', value: ({ createdAt }) => createdAt },
  ];
  return (
    <DataTable
      label="API keys"
      noun="key"
      filterBy="name"
      address=""
      rows={keys}
      rowKey={({ id }) => id}
      actions={(key) => {
        const state = keyState(key, nowMs);
        return reach.includes(key.role) && (state === 'active' || state === 'replaced') ? (
          <>
            {state === 'active' ? (
              <Button size="sm" variant="quiet" onClick={() => onRotate(key)} aria-label={`Rotate key ${key.name}`}>
                Rotate
              </Button>
            ) : null}
            <Button size="sm" variant="quiet" onClick={() => onRevoke(key)} aria-label={`Revoke key ${key.name}`}>
              Revoke
            </Button>
          </>
        ) : null;
      }}
      actionsPlace={{ className: 'whitespace-nowrap' }}
      columns={columns}
    />
  );
}

const STATES = {
  active: { tone: 'ok', label: 'Active' },
  replaced: { tone: 'warn', label: 'Replaced' },
  expired: { tone: 'neutral', label: 'Expired' },
  revoked: { tone: 'neutral', label: 'Revoked' },
} as const;
