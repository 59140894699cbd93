// What the operator commands share: arguments, the database, the actor, and exit codes.
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { createPrismaClient, type Database } from '@penstock/database/client';
import { AppError, databaseUrlVariable, parseEnv } from '@penstock/platform';
import type { Actor } from '@penstock/tenancy';

/** The actor as the audit log names it. */
export function operator(): Actor {
  return { type: 'system', id: null, label: `Operator ${userInfo().username}`, source: 'worker' };
}

/** Reads the command line flags. Errors about them are printed with the usage. */
export function readFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  return parseArgs({ options }).values;
}

/** The control plane's database. @throws AppError `environment_invalid` */
export function controlDatabaseUrl(): string {
  return parseEnv({ DATABASE_URL: databaseUrlVariable }, process.env).DATABASE_URL;
}

/**
 * Runs a command and prints the lines that it returns. Exits with 1 after a problem, and prints it with its remedy.
 * @param usage the command's syntax
 */
export async function runOperatorCommand(
  usage: string,
  work: (database: Database) => Promise<string[]>,
): Promise<void> {
  try {
    const database = createPrismaClient(controlDatabaseUrl(), 1, 'operator');
    try {
      process.stdout.write(`${(await work(database)).join('\n')}\n`);
    } finally {
      await database.$disconnect();
    }
  } catch (error) {
    process.stderr.write(`\n✗ ${explain(error, usage)}\n\n`);
    process.exitCode = 1;
  }
}

/** The problem and its remedy, if known; otherwise its origin. */
function explain(error: unknown, usage: string): string {
  if (error instanceof AppError) {
    return `${error.message}\n  ${error.remedy ?? usage}`;
  }
  if (!(error instanceof Error)) {
    return String(error);
  }
  const code = 'code' in error ? String(error.code) : '';
  if (code.startsWith('ERR_PARSE_ARGS')) {
    return `${error.message}\n  ${usage}`;
  }
  // Prisma's codes P1000 to P1017 are connection errors. The last line of the message names the problem.
  if (!/^P10[01]\d$/.test(code)) {
    return error.stack ?? error.message;
  }
  const reason = error.message.trim().split('\n').at(-1) ?? code;
  return `The database does not answer: ${reason}\n  Start it (\`npm start\` starts the embedded one), or look at DATABASE_URL again.`;
}

/** The error for a command that lacks required arguments. */
export function argumentsMissing(message: string, usage: string): AppError {
  return new AppError({ kind: 'invalid-input', code: 'arguments_missing', message, remedy: usage });
}
