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
    const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (error instanceof AppError) complain(new LocalError(error.message, error.remedy ?? usage));
    else complain(isUsage ? new LocalError(error.message, usage) : error);
    process.exitCode = 1;
  }
}
