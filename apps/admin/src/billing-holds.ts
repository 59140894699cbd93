// Unusual usage that waits for a review. See infra/docs/billing.md.

import { listHolds, reviewHolds } from '@penstock/billing';
import type { Database } from '@penstock/database/client';
import type { Command } from 'commander';
import { onDatabase, operator, operatorCommand } from './operator-command.ts';

interface Flags {
  cluster?: string;
  hour?: string;
  release: boolean;
  waive: boolean;
  reason?: string;
}

async function review(database: Database, { cluster, hour, release, reason = '' }: Flags): Promise<string[]> {
  if (cluster === undefined) {
    const holds = await listHolds(database);
    return [
      `${holds.length} ${holds.length === 1 ? 'hour waits' : 'hours wait'} for a review.`,
      ...holds.map(
        ({ organizationId, clusterId, hour: at, finding }) =>
          `  ${at.toISOString()}  cluster ${clusterId} of organization ${organizationId}: ${finding}`,
      ),
    ];
  }
  const hours = await reviewHolds(
    database,
    {
      clusterId: cluster,
      hour: hour === undefined ? undefined : new Date(hour),
      verdict: release ? 'released' : 'waived',
      reason,
    },
    { actor: operator(), now: new Date() },
  );
  const count = `${hours.length} ${hours.length === 1 ? 'hour' : 'hours'} of cluster ${cluster}`;
  return [
    release
      ? `${count} released: on the invoice of their month or, if it is issued, as a correction on the next one.`
      : `${count} waived: never billed.`,
  ];
}

export const reviewHeldUsage = operatorCommand(
  'holds',
  'lists unusual usage that waits for a review; with --cluster, releases or waives it',
)
  .option('--cluster <id>', 'whose usage')
  .option('--hour <time>', 'only this hour, such as 2026-11-28T09:00:00Z')
  .option('--release', 'bill it', false)
  .option('--waive', 'never bill it', false)
  .option('--reason <text>', 'for the audit log')
  .action(async (flags: Flags, command: Command) => {
    if (flags.cluster !== undefined && (flags.release === flags.waive || flags.reason === undefined)) {
      command.error('Give a reason, and either --release or --waive.');
    }
    await onDatabase((database) => review(database, flags));
  });
