// Opens Prisma's schema engine as WebAssembly over the pg driver. The native engine comes from another host than the
// package registry, and so is never installed.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import type { SchemaEngine } from '@prisma/schema-engine-wasm';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Pool } from 'pg';

// Node has it; its type lives in the browser's library, which server code does without.
declare const WebAssembly: {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let loading: Promise<void> | undefined;

/** Compiles the engine, once per process: the package's own entry point leaves that to a bundler. */
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

/**
 * The adapter itself cuts a script at every semicolon, those within function bodies too. PostgreSQL takes the whole of it in one message,
 * and as one transaction: a migration that fails leaves nothing behind.
 */
class WholeScripts extends PrismaPg {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    super(pool);
    this.#pool = pool;
  }

  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await this.#pool.query(script);
    };
    return adapter;
  }
}

/**
 * Runs `work` with a schema engine connected to the database, and frees it afterwards. The engine guards its lock with a
 * timer of ten seconds that it never clears, so a command that has nothing else to do should end with `process.exit`.
 * @param schema text of schema.prisma, for work that compares with it
 */
export async function withSchemaEngine<T>(
  databaseUrl: string,
  schema: string | undefined,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  await loadEngine();
  const pool = new Pool({ connectionString: databaseUrl });
  try {
    const engine = await bindings.SchemaEngine.new(
      { datamodels: schema === undefined ? undefined : [['schema.prisma', schema]] },
      () => undefined,
      bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool)),
    );
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}
