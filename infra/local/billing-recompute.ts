// `npm run billing:recompute`: finds the database (DATABASE_URL, else that of the running `npm start`) and hands over to packages/billing.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findDatabaseUrl } from './database-url.ts';
import { pinnedNode, root } from './paths.ts';
import { complain } from './terminal.ts';

/** Nothing can be said: the same code as that of the program itself. */
const cannotCode = 2;

const databaseUrl = await findDatabaseUrl().catch((error: unknown) => {
  complain(error);
  process.exit(cannotCode);
});
const child = spawn(pinnedNode, [join(root, 'packages/billing/src/recompute/main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...process.env, DATABASE_URL: databaseUrl },
  stdio: 'inherit',
});
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('disconnect', () => child.kill('SIGTERM'));
child.on('exit', (code) => process.exit(code ?? cannotCode));
