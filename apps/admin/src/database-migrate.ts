import { applyMigrations, pendingMigrations } from '@penstock/database';
import { InvalidArgumentError } from 'commander';
import { controlDatabaseUrl, operatorCommand, print } from './operator-command.ts';

const MINUTE_MS = 60_000;

function minutes(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) {
    throw new InvalidArgumentError('Give a whole number of minutes, 0 or more.');
  }
  return value;
}

export const migrateDatabase = operatorCommand(
  'migrate',
  'applies the migrations of this version; safe while the system runs',
)
  .option('--check', 'apply nothing: list what is missing, and exit with 1 if anything is', false)
  .option(
    '--wait <minutes>',
    'how long one migration waits for tables that backups and other long transactions use',
    minutes,
    10,
  )
  .action(async ({ check, wait }: { check: boolean; wait: number }) => {
    const url = controlDatabaseUrl();
    if (check) {
      const missing = await pendingMigrations(url);
      print(missing.length === 0 ? ['No migration is missing.'] : missing.map((name) => `Missing: ${name}`));
      process.exitCode = missing.length === 0 ? 0 : 1;
      return;
    }
    const applied = await applyMigrations(url, { waitMs: wait * MINUTE_MS, report: (line) => print([line]) });
    print([applied.length === 0 ? 'No migration is missing.' : `Applied ${applied.length} migrations.`]);
  });
