// `npm run organization:suspend -- --organization <id> --reason "…" [--block-reads]`: suspends an organization until
// `organization:resume` lifts it. See infra/docs/suspension.md.
import { suspendOrganization } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { argumentsMissing, operator, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE =
  'npm run organization:suspend -- --organization <id> --reason "<what the customer reads>" [--block-reads]';

await runOperatorCommand(USAGE, async (database) => {
  const flags = readFlags({
    organization: { type: 'string' },
    reason: { type: 'string' },
    'block-reads': { type: 'boolean', default: false },
  });
  const { organization: organizationId, reason } = flags;
  if (organizationId === undefined || reason === undefined) {
    throw argumentsMissing('An organization and a reason are needed.', USAGE);
  }
  const readsAllowed = !flags['block-reads'];
  await inTransaction(database, (tx) =>
    suspendOrganization({ tx, organizationId, actor: operator(), now: new Date() }, { reason, readsAllowed }),
  );
  return [
    `Organization ${organizationId} is suspended, and its owners get a mail. Its clusters follow within five seconds.`,
    `  Producers are refused with the reason. Consumers ${readsAllowed ? 'can still read' : 'are refused, too'}.`,
    `  Lift it with: npm run organization:resume -- --organization ${organizationId} --reason "<why>"`,
  ];
});
