// Runs the Prisma command line without its native engine, which the install may not download: generate, validate and
// format do not need it. The stand-in engine exits non-zero, so that any command that does need it fails loudly.
// Usage: node packages/database/scripts/prisma.mjs <prisma arguments>
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const schemaFolder = join(packageFolder, '..', '..', 'prisma');

/**
 * Runs one Prisma command.
 * @param {string[]} args
 * @returns {number} its exit code
 */
export function runPrisma(args) {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-prisma-'));
  try {
    const engine = join(folder, 'schema-engine');
    writeFileSync(
      engine,
      '#!/bin/sh\necho "The native schema engine is not used here; see packages/database." >&2\nexit 1\n',
    );
    chmodSync(engine, 0o755);
    const cli = createRequire(join(packageFolder, 'package.json')).resolve('prisma/build/index.js');
    const run = spawnSync(process.execPath, [cli, ...args, '--schema', join(schemaFolder, 'schema.prisma')], {
      cwd: packageFolder,
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: engine,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    if (run.status !== 0) {
      process.stderr.write(`${run.stdout}${run.stderr}`);
    }
    return run.status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = runPrisma(process.argv.slice(2));
}
