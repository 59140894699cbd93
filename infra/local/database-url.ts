// Finds the database that an operator's command works on.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EMBEDDED_DATABASE, EMBEDDED_OWNER } from './embedded-database.ts';
import { penstockHome } from './paths.ts';

/** While it runs, the embedded PostgreSQL has its port in the fourth line of its pid file. */
async function embeddedDatabaseUrl(home: string): Promise<string | undefined> {
  const port = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[3];
  const secrets = await readFile(join(home, 'secrets.json'), 'utf8').catch(() => undefined);
  if (port === undefined || secrets === undefined) {
    return undefined;
  }
  const { postgresPassword } = JSON.parse(secrets) as { postgresPassword: string };
  return `postgresql://${EMBEDDED_OWNER}:${encodeURIComponent(postgresPassword)}@127.0.0.1:${port}/${EMBEDDED_DATABASE}`;
}

/** DATABASE_URL, or the database of the running `npm start`; undefined when there is neither, or DATABASE_URL_FILE holds it. */
export async function findDatabaseUrl(environment: NodeJS.ProcessEnv = process.env): Promise<string | undefined> {
  if (environment['DATABASE_URL_FILE']) {
    // The command reads it itself.
    return undefined;
  }
  return environment['DATABASE_URL'] || (await embeddedDatabaseUrl(penstockHome(environment)));
}
