// What the commands for an operator have in common: their arguments, the database, who acts, and how they end.
import { userInfo } from 'node:os';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { createPrismaClient, type Database } from '@penstock/database/client';
import { AppError } from '@penstock/platform';
import type { Actor } from '@penstock/services';
import { findDatabaseUrl } from './database-url.ts';
import { complain, LocalError } from './terminal.ts';

/** As the audit log names them. */
export function operator(): Actor {
  return { type: 'system', id: null, label: `Operator ${userInfo().username}`, source: 'worker' };
}

/** Reads the flags of the command line. What it throws about them is told with the command's usage. */
export function readFlags<const Options extends NonNullable<ParseArgsConfig['options']>>(options: Options) {
  return parseArgs({ options }).values;
}

/**
 * Runs a command and prints the lines that it returns. Ends with 1 after a problem, which is told with what to do about it.
 * @param usage how the command is written
 */
export async function runOperatorCommand(
  usage: string,
  work: (database: Database) => Promise<string[]>,
): Promise<void> {
  try {
    const database = createPrismaClient(await findDatabaseUrl(), 1);
    try {
      process.stdout.write(`${(await work(database)).join('\n')}\n`);
    } finally {
      await database.$disconnect();
    }
  } catch (error) {
    complain(explain(error, usage));
    process.exitCode = 1;
  }
}

/** An error with what to do about it, where that is known. */
function explain(error: unknown, usage: string): unknown {
  if (error instanceof AppError) return new LocalError(error.message, error.remedy ?? usage);
  if (!(error instanceof Error) || !('code' in error)) return error;
  const code = String(error.code);
  if (code.startsWith('ERR_PARSE_ARGS')) return new LocalError(error.message, usage);
  // Prisma's codes from P1000 to P1017 are about the connection; the last line of the message says what is wrong with it.
  if (!/^P10[01]\d$/.test(code)) return error;
  const reason = error.message.trim().split('\n').at(-1) ?? code;
  return new LocalError(
    `The database does not answer: ${reason}`,
    'Start it (`npm start` starts the embedded one), or look at DATABASE_URL again.',
  );
}
