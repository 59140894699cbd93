import { forceRowSecurity, unforceRowSecurity } from '@penstock/database';
import { controlDatabaseUrl, operatorCommand, print } from './operator-command.ts';

export const changeRowSecurity = operatorCommand(
  'force-row-security',
  'makes row security bind the owner of the tables, too',
)
  .option('--ignore-connections', 'even while connections are open that do not declare their access', false)
  .option('--undo', 'exempt the owner again, for example to dump the database as its owner', false)
  .action(async ({ ignoreConnections, undo }: { ignoreConnections: boolean; undo: boolean }) => {
    if (undo) {
      await unforceRowSecurity(controlDatabaseUrl());
      print(['Row security exempts the owner of the tables. Run this without --undo to force it again.']);
      return;
    }
    await forceRowSecurity(controlDatabaseUrl(), ignoreConnections);
    print(['Row security is forced on every table.']);
  });
