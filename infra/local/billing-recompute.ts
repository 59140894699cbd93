// `npm run billing:recompute`: finds the database (DATABASE_URL, else that of the running `npm start`) and hands over to packages/billing.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { penstockHome, pinnedNode, root } from './paths.ts';

/** Nothing can be said: the same code as that of the program itself. */
const cannotCode = 2;

/** The embedded PostgreSQL writes its port into the fourth line of its pid file while it runs. */
async function embeddedDatabaseUrl(home: string): Promise<string | undefined> {
  const port = (await readFile(join(home, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[3];
  const secrets = await readFile(join(home, 'secrets.json'), 'utf8').catch(() => undefined);
  if (port === undefined || secrets === undefined) {
    return undefined;
  }
  const { postgresPassword } = JSON.parse(secrets) as { postgresPassword: string };
  return `postgresql://postgres:${encodeURIComponent(postgresPassword)}@127.0.0.1:${port}/postgres`;
}

const home = penstockHome();
const databaseUrl = process.env['DATABASE_URL'] || (await embeddedDatabaseUrl(home));
if (databaseUrl === undefined) {
  process.stderr.write(
    `\n✗ No database runs in ${home}, and DATABASE_URL is not set.\n` +
      '  Start the system with `npm start` in another terminal, or set DATABASE_URL to the database that holds the journal.\n\n',
  );
  process.exit(cannotCode);
}
const child = spawn(pinnedNode, [join(root, 'packages/billing/src/recompute/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, DATABASE_URL: databaseUrl },
  stdio: 'inherit',
});
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? cannotCode));
