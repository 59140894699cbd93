// `npm run database:force-row-security [-- --undo]`: from now on, queries that don't declare their access see no rows
// (decision 0040). The last step of the upgrade to the release that declares access.
import { forceRowSecurity, unforceRowSecurity } from '@penstock/database';
import { controlDatabaseUrl, readFlags, runOperatorCommand } from './operator-command.ts';

const USAGE = 'npm run database:force-row-security [-- --ignore-connections | --undo]';

await runOperatorCommand(USAGE, async () => {
  const flags = readFlags({
    'ignore-connections': { type: 'boolean', default: false },
    undo: { type: 'boolean', default: false },
  });
  if (flags.undo) {
    await unforceRowSecurity(controlDatabaseUrl());
    return ['Row security exempts the owner of the tables again. Older releases can run.'];
  }
  await forceRowSecurity(controlDatabaseUrl(), flags['ignore-connections']);
  return [
    'Row security is forced on every table. Older releases see no rows: run this with --undo before you start one.',
  ];
});
