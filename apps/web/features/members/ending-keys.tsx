'use client';

import { useQuery } from '@tanstack/react-query';
import { useMay } from '../../lib/session';
import { useNow } from '../../lib/time';
import { useTRPC } from '../../lib/trpc';
import { keysOfMaker } from './keys-of-maker';

/** Names the API keys that end with a membership. Without permission to see keys, it only says that they end. */
export function EndingKeys({ userId, whose }: { userId: string; whose: string }) {
  const trpc = useTRPC();
  const may = useMay();
  const nowMs = useNow();
  const keys = useQuery({ ...trpc.apiKey.list.queryOptions(), enabled: may('api-key:read') });
  const names = keys.data === undefined ? undefined : keysOfMaker(keys.data, userId, nowMs);
  if (names?.length === 0) {
    return null;
  }
  return (
    <>
      {' '}
      API keys that {whose} created stop working{names === undefined ? '' : `: ${names.join(', ')}`}.
    </>
  );
}
