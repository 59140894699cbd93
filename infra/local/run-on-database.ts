// Runs an operator's command on a database and exits with its exit code.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findDatabaseUrl } from './database-url.ts';
import { pinnedNode, root } from './paths.ts';
import { complain } from './terminal.ts';

/**
 * Runs a program with DATABASE_URL, or with that of the running `npm start`.
 * @param program the file, relative to the root
 * @param cannotCode the exit code when there is no database
 */
export async function runOnDatabase(program: string, args: string[], cannotCode: number): Promise<void> {
  const databaseUrl = await findDatabaseUrl().catch((error: unknown) => {
    complain(error);
    process.exit(cannotCode);
  });
  const child = spawn(pinnedNode, [join(root, program), ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: 'inherit',
  });
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('disconnect', () => child.kill('SIGTERM'));
  child.on('exit', (code) => process.exit(code ?? cannotCode));
}
