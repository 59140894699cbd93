// What a migration may not do while the release before it runs and customers write. PostgreSQL's own parser reads the scripts.
import { parse } from 'libpg-query';

/** A node of PostgreSQL's syntax tree, by the names of its parser. */
type Node = Record<string, unknown>;

const CONCURRENTLY_ALONE = 'CREATE or DROP INDEX CONCURRENTLY must be the only statement of its migration';

/** Finds the problem of each kind of ALTER TABLE, by the parser's name. Kinds that are not here need the table for a moment only. */
const ALTERATIONS = new Map<string, (alteration: Node) => string | undefined>([
  [
    'AT_DropColumn',
    () => 'DROP COLUMN: the running release may use it. Stop using it, release, and drop it a release later',
  ],
  ['AT_AlterColumnType', () => 'ALTER COLUMN TYPE rewrites the table. Add a column and fill it in steps'],
  [
    'AT_SetNotNull',
    () =>
      'SET NOT NULL reads the whole table. Add CHECK (… IS NOT NULL) NOT VALID and validate it in a migration of its own',
  ],
  ['AT_SetLogged', () => 'SET LOGGED rewrites the table'],
  ['AT_SetUnLogged', () => 'SET UNLOGGED rewrites the table'],
  ['AT_SetTableSpace', () => 'SET TABLESPACE rewrites the table'],
  ['AT_AddColumn', ({ def }) => columnProblem(inner(def, 'ColumnDef'))],
  ['AT_AddConstraint', ({ def }) => constraintProblem(inner(def, 'Constraint'))],
]);

/** Defaults that PostgreSQL evaluates once. Others are computed for each row, which rewrites the table. */
const STABLE_FUNCTIONS = new Set(['now', 'transaction_timestamp', 'statement_timestamp', 'current_setting']);

/**
 * Finds what could stop the product while this migration runs.
 * @param script SQL of one migration
 * @returns one line per problem; empty if there is none
 * @throws PostgreSQL's syntax error
 */
export async function migrationProblems(script: string): Promise<string[]> {
  const { stmts = [] } = (await parse(script)) as { stmts?: { stmt: Node }[] };
  const statements = stmts.flatMap(({ stmt }) => Object.entries(stmt) as [string, Node][]);
  const created = new Set(
    statements.flatMap(([kind, statement]) => (kind === 'CreateStmt' ? [tableOf(statement['relation'])] : [])),
  );
  return statements.flatMap(([kind, statement]) => {
    const problems = problemsOf(kind, statement, created);
    const isAlone = statements.length === 1 || statement['concurrent'] !== true;
    return isAlone ? problems : [...problems, CONCURRENTLY_ALONE];
  });
}

function problemsOf(kind: string, statement: Node, created: ReadonlySet<string>): string[] {
  const table = tableOf(statement['relation']);
  const isNew = created.has(table);
  switch (kind) {
    case 'AlterTableStmt':
      return isNew ? [] : alterationProblems(table, statement);
    case 'IndexStmt':
      return isNew || statement['concurrent'] === true
        ? concurrentProblems(statement)
        : [`${table}: CREATE INDEX keeps writers out. Create it CONCURRENTLY, in a migration of its own`];
    case 'RenameStmt':
      return isNew
        ? []
        : [`${table}: a new name breaks the running release. Add the new one and drop the old one a release later`];
    case 'DropStmt':
      return dropProblems(statement);
    case 'TruncateStmt':
    case 'LockStmt':
    case 'ClusterStmt':
    case 'VacuumStmt':
      return [`${kind.replace('Stmt', '').toUpperCase()} keeps everybody out of the table`];
    case 'ReindexStmt':
      return ['REINDEX keeps writers out. Build a new index CONCURRENTLY and drop the old one'];
    case 'UpdateStmt':
    case 'DeleteStmt':
      return isNew || statement['whereClause'] !== undefined
        ? []
        : [`${table}: changes every row in one transaction. Do it in steps, in a job of the worker`];
    default:
      return [];
  }
}

function concurrentProblems(statement: Node): string[] {
  const { idxname, concurrent, if_not_exists: mayExist } = statement;
  return concurrent === true && mayExist !== true
    ? [`${String(idxname)}: write IF NOT EXISTS, so that the migration can be tried again after a crash`]
    : [];
}

function dropProblems(statement: Node): string[] {
  switch (statement['removeType']) {
    case 'OBJECT_TABLE':
      return ['DROP TABLE: the running release may use it. Stop using it, release, and drop it a release later'];
    case 'OBJECT_INDEX':
      return statement['concurrent'] === true
        ? []
        : ['DROP INDEX keeps everybody out of the table. Drop it CONCURRENTLY, in a migration of its own'];
    default:
      return [];
  }
}

function alterationProblems(table: string, statement: Node): string[] {
  const alterations = (statement['cmds'] ?? []) as Node[];
  const kinds = alterations.map((node) => inner(node, 'AlterTableCmd'));
  const problems = kinds.flatMap((alteration) => {
    const problem = ALTERATIONS.get(String(alteration['subtype']))?.(alteration);
    return problem === undefined ? [] : [`${table}: ${problem}`];
  });
  const validates = kinds.some(({ subtype }) => subtype === 'AT_ValidateConstraint');
  return validates && kinds.length > 1
    ? [
        ...problems,
        `${table}: VALIDATE CONSTRAINT reads the whole table under the lock of what is with it. Give it a migration of its own`,
      ]
    : problems;
}

function columnProblem(column: Node): string | undefined {
  const constraints = ((column['constraints'] ?? []) as Node[]).map((node) => inner(node, 'Constraint'));
  const byKind = new Map(constraints.map((constraint) => [constraint['contype'], constraint]));
  const fallback = byKind.get('CONSTR_DEFAULT');
  if (byKind.has('CONSTR_IDENTITY') || isSerial(column)) {
    return 'ADD COLUMN with a sequence rewrites the table';
  }
  if (byKind.has('CONSTR_GENERATED')) {
    return 'ADD COLUMN GENERATED … STORED rewrites the table';
  }
  if (byKind.has('CONSTR_NOTNULL') && fallback === undefined) {
    return 'ADD COLUMN NOT NULL without a DEFAULT fails where there are rows, and the running release does not write it';
  }
  if (fallback !== undefined && functionsIn(fallback['raw_expr']).some((name) => !STABLE_FUNCTIONS.has(name))) {
    return 'ADD COLUMN with a DEFAULT that is computed per row rewrites the table';
  }
  if (byKind.has('CONSTR_UNIQUE') || byKind.has('CONSTR_PRIMARY')) {
    return 'ADD COLUMN UNIQUE builds an index while nobody may use the table. Create the index CONCURRENTLY';
  }
  return undefined;
}

function constraintProblem(constraint: Node): string | undefined {
  switch (constraint['contype']) {
    case 'CONSTR_CHECK':
    case 'CONSTR_FOREIGN':
      return constraint['skip_validation'] === true
        ? undefined
        : 'ADD CONSTRAINT reads the whole table. Add it NOT VALID and validate it in a migration of its own';
    case 'CONSTR_UNIQUE':
    case 'CONSTR_PRIMARY':
      return constraint['indexname'] === undefined
        ? 'ADD CONSTRAINT builds an index while nobody may use the table. Create the index CONCURRENTLY and add the constraint USING INDEX'
        : undefined;
    case 'CONSTR_EXCLUSION':
      return 'ADD CONSTRAINT EXCLUDE builds an index while nobody may use the table';
    default:
      return undefined;
  }
}

function isSerial(column: Node): boolean {
  const names = ((column['typeName'] as Node | undefined)?.['names'] ?? []) as { String?: { sval?: string } }[];
  return /^(small|big)?serial\d?$/.test(names.at(-1)?.String?.sval ?? '');
}

/** The names of the functions that an expression calls. */
function functionsIn(expression: unknown): string[] {
  if (typeof expression !== 'object' || expression === null) {
    return [];
  }
  return Object.entries(expression).flatMap(([kind, value]) => {
    const names = kind === 'FuncCall' ? ((value as Node)['funcname'] as { String: { sval: string } }[]) : [];
    return [...names.slice(-1).map(({ String: { sval } }) => sval), ...functionsIn(value)];
  });
}

function tableOf(relation: unknown): string {
  const { schemaname, relname } = (relation ?? {}) as { schemaname?: string; relname?: string };
  return [schemaname, relname].filter((name) => name !== undefined).join('.');
}

/** The node of this kind within its wrapper. */
function inner(wrapper: unknown, kind: string): Node {
  return ((wrapper as Node | undefined)?.[kind] ?? {}) as Node;
}
