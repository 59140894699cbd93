// The statements that a message runs for its reads, in order.
import type { Step } from './batch.ts';
import type { Read } from './read.types.ts';
import type { Lookup, Statement } from './statement.ts';

/** Switches to the tenant role until the message ends. The migration `row_security` creates the role. */
const enterTenant: Statement<null> = {
  name: 'enter_tenant',
  text: "SELECT set_config('penstock.organization_id', $1, true), set_config('role', 'penstock_tenant', true)",
  toRow: () => null,
};

/** Lookups come first: once a step has switched to a tenant, the rest of the message has only that tenant's rights. */
export function stepsOf(reads: readonly Read[]): Step[] {
  const lookups = new Map<Lookup<unknown>, Read[]>();
  const tenants = new Map<string, Read[]>();
  for (const read of reads) {
    if (read.organizationId !== null) {
      add(tenants, read.organizationId, read);
    } else if (isLookup(read.statement)) {
      add(lookups, read.statement, read);
    } else {
      throw new Error(`${read.statement.name} says neither for which tenant it reads nor what it looks up.`);
    }
  }
  const steps = [...lookups].map(([lookup, group]) => lookupStep(lookup, group));
  for (const [organizationId, group] of tenants) {
    steps.push({ statement: enterTenant, values: [organizationId], onRow: nothing, onEnd: nothing });
    for (const read of group) {
      steps.push(readStep(read));
    }
  }
  return steps;
}

function isLookup(statement: Statement<unknown>): statement is Lookup<unknown> {
  return 'keyOf' in statement;
}

function add<K>(groups: Map<K, Read[]>, key: K, read: Read): void {
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, [read]);
  } else {
    group.push(read);
  }
}

function nothing(): void {}

function readStep(read: Read): Step {
  const { statement, values, rows } = read;
  return { statement, values, onRow: (row) => rows.push(row), onEnd: () => read.resolve(rows) };
}

/** One query for all keys. */
function lookupStep(lookup: Lookup<unknown>, group: readonly Read[]): Step {
  const keys = new Set(group.map(({ key }) => key));
  const found = new Map<string | null, unknown>();
  return {
    statement: lookup,
    // Hex needs no quotes in PostgreSQL's array syntax.
    values: [`{${[...keys].join(',')}}`],
    onRow: (row) => found.set(lookup.keyOf(row), row),
    onEnd() {
      for (const { key, resolve } of group) {
        resolve(found.has(key) ? [found.get(key)] : []);
      }
    },
  };
}
