// The migrations that exist, and those that a database has.
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bindingProblem, readRoleBinding } from './row-security.ts';

/** The migrations of this version. */
export const migrationsFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'prisma', 'migrations');

/** Runs queries of the tables' owner, or of a role that may read the list of migrations. */
interface Queries {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}

export interface MigrationHistory {
  /** Whether nothing was ever applied. */
  isNew: boolean;
  /** Names of the applied migrations, in order. */
  applied: string[];
  /** Names of migrations that were begun and neither finished nor rolled back. */
  unfinished: string[];
}

/** The names of all migrations in the folder, in the order in which they are applied. */
export async function migrationNames(folder: string = migrationsFolder): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** Reads which migrations the database has. */
export async function readHistory(database: Queries): Promise<MigrationHistory> {
  const { rows: tables } = await database.query(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists",
  );
  if (tables[0]?.['exists'] !== true) {
    return { isNew: true, applied: [], unfinished: [] };
  }
  const { rows } = await database.query(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS is_finished FROM public._prisma_migrations
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const namesOf = (isFinished: boolean): string[] =>
    rows.filter((row) => row['is_finished'] === isFinished).map((row) => String(row['name']));
  return { isNew: rows.length === 0, applied: namesOf(true), unfinished: namesOf(false) };
}

/** The names that are not among the applied ones, in order. */
export function missingMigrations(names: readonly string[], { applied }: MigrationHistory): string[] {
  return names.filter((name) => !applied.includes(name));
}

/**
 * Whether this version can work on a database. An older schema cannot serve it; a newer one serves older versions, too. A role that
 * inherits other roles' rights must not: row security would hide nothing from it.
 */
export class SchemaWatch {
  readonly #database: Queries;
  readonly #folder: string;
  #isCurrent = false;

  /** @param database a pool of a role that may read the list of migrations */
  constructor(database: Queries, folder: string = migrationsFolder) {
    this.#database = database;
    this.#folder = folder;
  }

  /**
   * Asks the database until nothing is in the way, and never again after that.
   * @returns what is in the way, for operators; undefined if nothing is
   */
  async obstacle(): Promise<string | undefined> {
    if (this.#isCurrent) {
      return undefined;
    }
    const [names, history] = await Promise.all([migrationNames(this.#folder), readHistory(this.#database)]);
    if (missingMigrations(names, history).length === 0) {
      const binding = await readRoleBinding(this.#database);
      // A superuser is a choice that shows in DATABASE_URL. Inheritance shows nowhere.
      const problem = binding.isExempt ? undefined : bindingProblem(binding);
      this.#isCurrent = problem === undefined;
      return problem && `${problem.message} ${problem.remedy}`;
    }
    return `the database schema is at ${history.applied.at(-1) ?? 'nothing'}, and this version needs ${names.at(-1)}: run \`npm run admin -- database migrate\``;
  }
}
