// Runs Prisma's schema engine as WebAssembly over the pg driver. The native engine would have to be downloaded from
// outside the package registry, so it is never installed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { applicationName } from '@penstock/platform';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool, type PoolClient } from 'pg';
import { LOCK_TIMEOUT_MS } from './table-locks.ts';

// Node has it, but its type is in the DOM library, which server code does not include.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let loading: Promise<void> | undefined;

/** Compiles the engine, once per process. The package's own entry point expects a bundler to do it. */
function loadEngine(): Promise<void> {
  loading ??= (async () => {
    const bindingsPath = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const bytes = await readFile(join(dirname(bindingsPath), 'schema_engine_bg.wasm'));
    const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...bindings } });
    bindings.__wbg_set_wasm(instance.exports);
    const start = instance.exports.__wbindgen_start;
    if (typeof start === 'function') {
      start();
    }
  })();
  return loading;
}

/** An index that is built while its table is in use. PostgreSQL allows that outside of transactions only, so nothing else is in its script. */
const CONCURRENT_INDEX =
  /^(?:\s|--.*\n)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i;

/** The name of the index that the script builds while its table is in use. Undefined for all other scripts. */
export function concurrentIndex(script: string): string | undefined {
  return CONCURRENT_INDEX.exec(script)?.[1];
}

/** Marks the running migration as done. In the script's own transaction, so that a crash leaves both or neither. */
const FINISH = `;
UPDATE public._prisma_migrations SET finished_at = now(), applied_steps_count = 1
WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

/**
 * Sends a script in one message, because the adapter would split it at every semicolon, even inside function bodies.
 * PostgreSQL runs one message as one transaction, so a failed migration leaves nothing behind.
 */
class WholeScripts extends PrismaPg {
  /** PostgreSQL's error of the last script, which the engine would turn into text. */
  scriptError: unknown;
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      const connection = await this.#pool.connect();
      try {
        if (concurrentIndex(script) === undefined) {
          await connection.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
          await connection.query(`${script}${FINISH}`);
        } else {
          // It waits for transactions that began earlier. Nobody waits behind it.
          await connection.query('SET lock_timeout = 0');
          await connection.query(script);
        }
      } catch (error) {
        this.scriptError = error;
        throw error;
      } finally {
        connection.release();
      }
    };
    return adapter;
  }
}

/**
 * Runs `work` with a schema engine connected to the database, and frees it afterwards. The engine guards its lock with
 * a ten-second timer that it never clears, so a command should end with `process.exit`.
 * @param schema text of schema.prisma, for work that compares with it
 * @throws PostgreSQL's error if a script fails
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  schema: string | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await loadEngine();
  const pool = new Pool({
    connectionString: databaseUrl,
    application_name: applicationName('migrations'),
    // A migration that reads or changes rows behind forced row security fails, instead of finding none.
    ...{ onConnect: (connection: PoolClient) => connection.query('SET row_security = off') },
  });
  try {
    const scripts = new WholeScripts(pool);
    const engine = await bindings.SchemaEngine.new(
      { datamodels: schema === undefined ? undefined : [['schema.prisma', schema]] },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(scripts),
    );
    try {
      return await work(engine);
    } catch (error) {
      throw scripts.scriptError ?? error;
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}
