// The worker does the same every hour.
import type { Database } from '@penstock/database/client';
import { resealSecrets } from '@penstock/identity';
import { AppError, parseEnv, rootSecrets, rootSecretVariables } from '@penstock/platform';
import { onDatabase, operatorCommand } from './operator-command.ts';

async function reseal(database: Database): Promise<string[]> {
  const secrets = rootSecrets(parseEnv(rootSecretVariables, process.env));
  const [first, ...older] = secrets;
  const columns = await resealSecrets(database, secrets);
  const unreadable = columns.filter((column) => column.unreadable.length > 0);
  if (unreadable.length > 0) {
    throw new AppError({
      kind: 'refused',
      code: 'sealed_secret_unreadable',
      message: [
        'No configured root secret opens these:',
        ...unreadable.map(({ name, unreadable: owners }) => `  ${name} of ${owners.join(', ')}`),
      ].join('\n'),
      remedy: 'Add the root secret that sealed them to PENSTOCK_SECRETS, or have them entered again.',
    });
  }
  // A row that changed in the meantime is left to the next run.
  const isDone = (await resealSecrets(database, secrets)).every(({ resealed }) => resealed === 0);
  const ids = older.map(({ id }) => id).join(', ');
  return [
    ...columns.map(({ name, resealed }) => `${resealed} ${name} sealed with root secret ${first.id}`),
    !isDone
      ? 'Some secrets changed during the run. Run this command again.'
      : older.length === 0
        ? 'Everything in the database is sealed with it.'
        : `Nothing in the database needs root secrets other than ${first.id}. You can remove ${ids} 14 days after ${first.id} became the first one everywhere. If you remove them earlier, people who signed in before have to sign in again.`,
  ];
}

export const resealEverything = operatorCommand(
  'reseal',
  'seals everything with the first root secret, and says whether the others can be removed',
).action(() => onDatabase(reseal));
