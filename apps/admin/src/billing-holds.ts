// `npm run billing:holds`: lists unusual usage that waits for a review. With `--cluster`, releases or waives it. See
// infra/docs/billing.md.
import { listHolds, reviewHolds } from '@penstock/billing';
import { argumentsMissing, operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE =
  'npm run billing:holds [-- --cluster <id> [--hour 2026-11-28T09:00:00Z] (--release | --waive) --reason "<for the audit log>"]';

await runOperatorCommand(USAGE, async (database) => {
  const { cluster, hour, release, waive, reason } = readFlags({
    cluster: { type: 'string' },
    hour: { type: 'string' },
    release: { type: 'boolean', default: false },
    waive: { type: 'boolean', default: false },
    reason: { type: 'string' },
  });
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
  if (release === waive || reason === undefined) {
    throw argumentsMissing('Give a reason, and either --release or --waive.', USAGE);
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
});
