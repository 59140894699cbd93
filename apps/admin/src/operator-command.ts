// What the operator's commands share: the database, the actor, and how they report results and problems.
import { userInfo } from 'node:os';
import type { Database } from '@penstock/database/client';
import { AppError, databaseUrlVariable, parseEnv } from '@penstock/platform';
import type { Actor } from '@penstock/tenancy';
import { Command } from 'commander';

/** How operators call this program, for usage and remedies. */
export const ADMIN = 'npm run admin --';

/** A command of the operator, which explains itself after a mistake in its arguments. */
export function operatorCommand(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError().allowExcessArguments(false);
}

/** The actor as the audit log names it. */
export function operator(): Actor {
  return { type: 'system', id: null, label: `Operator ${userInfo().username}`, source: 'worker' };
}

/** The control plane's database. @throws AppError `database_missing` or `environment_invalid` */
export function controlDatabaseUrl(): string {
  if (!process.env['DATABASE_URL'] && !process.env['DATABASE_URL_FILE']) {
    throw new AppError({
      kind: 'invalid-input',
      code: 'database_missing',
      message: 'No `npm start` runs here, and DATABASE_URL is not set.',
      remedy:
        'Start the system with `npm start` in another terminal, or set DATABASE_URL to the database of your system.',
    });
  }
  return parseEnv({ DATABASE_URL: databaseUrlVariable }, process.env).DATABASE_URL;
}

/** Runs `work` on the control plane's database and prints the lines that it returns. */
export async function onDatabase(work: (database: Database) => Promise<string[]>): Promise<void> {
  const url = controlDatabaseUrl();
  // Loaded when it is used: help and mistakes need no database.
  const { createPrismaClient } = await import('@penstock/database/client');
  const database = createPrismaClient(url, 1, 'operator');
  try {
    print(await work(database));
  } finally {
    await database.$disconnect();
  }
}

export function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

/**
 * Prints the problem and its remedy, if known; otherwise its origin.
 * @param remedy for a problem that names none
 */
export function printProblem(error: unknown, remedy: string): void {
  process.stderr.write(`\n✗ ${explain(error, remedy)}\n\n`);
}

function explain(error: unknown, remedy: string): string {
  if (error instanceof AppError || (error instanceof Error && 'remedy' in error)) {
    return `${error.message}\n  ${error.remedy ?? remedy}`;
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  const code = 'code' in error ? String(error.code) : '';
  // Prisma's codes P1000 to P1017 are connection errors. The last line of the message names the problem.
  if (!/^P10[01]\d$/.test(code)) {
    return error.stack ?? error.message;
  }
  const reason = error.message.trim().split('\n').at(-1) ?? code;
  return `The database does not answer: ${reason}\n  Start it (\`npm start\` starts the embedded one), or look at DATABASE_URL again.`;
}
