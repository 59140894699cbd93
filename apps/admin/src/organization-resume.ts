// `npm run organization:resume -- --organization <id> --reason "…"`: lifts the suspension of an organization. See
// infra/docs/suspension.md.
import { liftSuspension } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { argumentsMissing, operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE = 'npm run organization:resume -- --organization <id> --reason "<why, for the audit log>"';

await runOperatorCommand(USAGE, async (database) => {
  const { organization: organizationId, reason } = readFlags({
    organization: { type: 'string' },
    reason: { type: 'string' },
  });
  if (organizationId === undefined || reason === undefined || reason.trim() === '') {
    throw argumentsMissing('An organization and a reason are needed.', USAGE);
  }
  await inTransaction(database, (tx) =>
    liftSuspension({ tx, organizationId, actor: operator(), now: new Date() }, { reason: reason.trim() }),
  );
  return [`Organization ${organizationId} is no longer suspended, and its owners get a mail.`];
});
