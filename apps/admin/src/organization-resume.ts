import { liftSuspension } from '@penstock/lifecycle';
import { inTransaction } from '@penstock/tenancy';
import type { Command } from 'commander';
import { onDatabase, operator, operatorCommand } from './operator-command.ts';

export const resumeOrganization = operatorCommand('resume', 'lifts the suspension of an organization')
  .requiredOption('--organization <id>', 'which organization')
  .requiredOption('--reason <text>', 'for the audit log')
  .action(async ({ organization, reason }: { organization: string; reason: string }, command: Command) => {
    if (reason.trim() === '') {
      command.error('Give a reason.');
    }
    await onDatabase(async (database) => {
      const now = new Date();
      await inTransaction(database, (tx) =>
        liftSuspension({ tx, organizationId: organization, actor: operator(), now }, { reason: reason.trim() }),
      );
      return [`Organization ${organization} is no longer suspended, and its owners get a mail.`];
    });
  });
