import { forceRowSecurity, unforceRowSecurity } from '@penstock/database';
import { controlDatabaseUrl, operatorCommand, print } from './operator-command.ts';

export const changeRowSecurity = operatorCommand(
  'force-row-security',
  'makes row security bind the owner of the tables, too',
)
  .option('--ignore-connections', 'even while an older process is connected', false)
  .option('--undo', 'exempt the owner again, so that older releases can run', false)
  .action(async ({ ignoreConnections, undo }: { ignoreConnections: boolean; undo: boolean }) => {
    if (undo) {
      await unforceRowSecurity(controlDatabaseUrl());
      print(['Row security exempts the owner of the tables again. Older releases can run.']);
      return;
    }
    await forceRowSecurity(controlDatabaseUrl(), ignoreConnections);
    print([
      'Row security is forced on every table. Older releases see no rows: run this with --undo before you start one.',
    ]);
  });
