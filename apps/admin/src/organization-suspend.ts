// Suspends an organization until `organization resume` lifts it. See infra/docs/suspension.md.
import { suspendOrganization } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import { ADMIN, onDatabase, operator, operatorCommand } from './operator-command.ts';

export const suspend = operatorCommand('suspend', 'refuses the writes, or all clients, of an organization')
  .requiredOption('--organization <id>', 'which organization')
  .requiredOption('--reason <text>', 'what the customer reads')
  .option('--block-reads', 'refuse consumers, too', false)
  .action(({ organization, reason, blockReads }: { organization: string; reason: string; blockReads: boolean }) =>
    onDatabase(async (database) => {
      const now = new Date();
      await inTransaction(database, (tx) =>
        suspendOrganization(
          { tx, organizationId: organization, actor: operator(), now },
          { reason, readsAllowed: !blockReads },
        ),
      );
      return [
        `Organization ${organization} is suspended, and its owners get a mail. Its clusters follow within five seconds.`,
        `  Producers are refused with the reason. Consumers ${blockReads ? 'are refused, too' : 'can still read'}.`,
        `  Lift it with: ${ADMIN} organization resume --organization ${organization} --reason "<why>"`,
      ];
    }),
  );
