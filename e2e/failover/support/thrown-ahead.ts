// A cluster as an owner with a wrong clock left it, before owners took the time from the database.
import { MINUTE_MS } from '@penstock/units';
import { commitOf } from '../../../apps/metadata/src/testing/cluster-fixture.ts';
import type { ClusterWithKey, ControlPlaneFixture } from '../../../apps/metadata/src/testing/control-plane-fixture.ts';
import {
  apply,
  type Command,
  createState,
  encodeEntry,
  type Id,
  meterOf,
  NEWEST_RULES,
  OLDEST_RULES,
} from '../../../packages/metadata-core/src/index.ts';
import { JOURNAL_START, PostgresJournal } from '../../../packages/metadata-journal/src/index.ts';
import { newId } from '../../../packages/platform/src/index.ts';

export interface ThrownAhead {
  topicId: Id;
  /** The time of its only entry: a commit of one record in partition 0, and a minute of an agent's life. */
  entryAtMs: number;
}

/** Appends the entry to the empty journal of a cluster. */
export async function throwAhead(
  { pool }: ControlPlaneFixture,
  { clusterId }: ClusterWithKey,
  aheadMs: number,
): Promise<ThrownAhead> {
  const { rows } = await pool.query<{ ms: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms',
  );
  const entryAtMs = Math.floor(rows[0]?.ms ?? 0) + aheadMs;
  const topicId: Id = Buffer.from(newId().replaceAll('-', ''), 'hex');
  const agentId = newId();
  const commands: Command[] = [
    { kind: 'raise-rules-level', level: NEWEST_RULES },
    {
      kind: 'register-agent',
      agentId,
      zone: '',
      version: '',
      advertisedHost: '',
      advertisedPort: 1,
      bucket: 'b',
      keyId: newId(),
    },
    { kind: 'create-topics', topics: [{ name: 'orders', topicId, partitions: 1, configs: [] }], validateOnly: false },
    commitOf(topicId, [0], 1, entryAtMs),
    { kind: 'minute-mark', minute: Math.floor(entryAtMs / MINUTE_MS), aliveAgentIds: [agentId] },
  ];
  const state = createState(clusterId, OLDEST_RULES);
  const effects = commands.map((command) => apply(state, command, entryAtMs).effects);
  const entry = encodeEntry({ nowMs: entryAtMs, commands, meter: meterOf(effects) });
  await new PostgresJournal(pool).append({ clusterId, organizationId: 'org' }, JOURNAL_START, entry);
  return { topicId, entryAtMs };
}
