'use client';

import type { Role } from '@penstock/tenancy/permissions';
import { ActionsTh, Badge, Button, Table, Td, Th, Tr } from '@penstock/ui';
import { ROLE_TEXTS } from '../../lib/roles';
import { Ago, DateTime, useNow } from '../../lib/time';
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
  return (
    <Table label="API keys" stacks>
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>Key</Th>
          <Th>Role</Th>
          <Th>State</Th>
          <Th>Expires</Th>
          <Th>Last used</Th>
          <Th>Created</Th>
          <ActionsTh />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            isWithinReach={reach.includes(key.role)}
            onRotate={() => onRotate(key)}
            onRevoke={() => onRevoke(key)}
          />
        ))}
      </tbody>
    </Table>
  );
}

interface KeyRowProps {
  apiKey: ApiKey;
  isWithinReach: boolean;
  onRotate: () => void;
  onRevoke: () => void;
}

function KeyRow({ apiKey, isWithinReach, onRotate, onRevoke }: KeyRowProps) {
  const state = keyState(apiKey, useNow());
  const isOpen = state === 'active' || state === 'replaced';
  return (
    <Tr>
      <Td className="min-w-32 font-medium text-ink" stack="title">
        {apiKey.name}
      </Td>
      <Td className="whitespace-nowrap font-mono text-xs">
        {apiKey.displayPrefix}…{apiKey.displayLast4}
      </Td>
      <Td className="whitespace-nowrap">
        {ROLE_TEXTS[apiKey.role].label}
        {apiKey.isReadOnly ? (
          <span className="block text-ink-3 text-xs @max-xl:ml-2 @max-xl:inline">read-only</span>
        ) : null}
      </Td>
      <Td className="whitespace-nowrap" stack="aside">
        <StateBadge state={state} />
      </Td>
      <Td label="Expires">
        {apiKey.expiresAt === null ? (
          <span className="text-ink-3">never</span>
        ) : (
          <DateTime timeMs={apiKey.expiresAt.getTime()} />
        )}
      </Td>
      <Td label="Used">
        {apiKey.lastUsedAt === null ? (
          <span className="text-ink-3">never</span>
        ) : (
          <Ago timeMs={apiKey.lastUsedAt.getTime()} />
        )}
      </Td>
      <Td label="Created">
        <DateTime timeMs={apiKey.createdAt.getTime()} />
      </Td>
      <Td className="whitespace-nowrap text-right" stack="foot">
        {isOpen && isWithinReach ? (
          <>
            {state === 'active' ? (
              <Button size="sm" variant="quiet" onClick={onRotate} aria-label={`Rotate key ${apiKey.name}`}>
                Rotate
              </Button>
            ) : null}
            <Button size="sm" variant="quiet" onClick={onRevoke} aria-label={`Revoke key ${apiKey.name}`}>
              Revoke
            </Button>
          </>
        ) : null}
      </Td>
    </Tr>
  );
}

function StateBadge({ state }: { state: ReturnType<typeof keyState> }) {
  switch (state) {
    case 'active':
      return (
        <Badge tone="ok" dot>
          Active
        </Badge>
      );
    case 'replaced':
      return (
        <Badge tone="warn" dot>
          Replaced
        </Badge>
      );
    case 'expired':
      return <Badge dot>Expired</Badge>;
    case 'revoked':
      return <Badge dot>Revoked</Badge>;
  }
}
