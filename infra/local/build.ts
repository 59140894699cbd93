// Builds the agent and the web app when their inputs have changed since the last build.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentBinary, pinnedNode, root } from './paths.ts';
import { writeAgentSbom } from './sbom.ts';
import { LocalError, step } from './terminal.ts';

interface Build {
  what: string;
  /** Files and folders, relative to the root, whose content determines the result. */
  inputs: string[];
  /** The file with the hash of the inputs, written after a successful build inside the build's folder. */
  stamp: string;
  /** If this file is missing, the stamp is ignored. */
  product: string;
  command: string;
  args: string[];
  cwd: string;
  remedy: string;
  /** Runs after a successful build. */
  afterwards?: () => Promise<void>;
}

const notInputs = new Set(['node_modules', 'target', '.next', 'results', 'test-results', 'generated']);

/** Tests and by-products. */
const notInput = /\.test\.tsx?$|\.tsbuildinfo$|^next-env\.d\.ts$/;

/** The workspace packages in the web app: its direct and indirect dependencies. */
async function webPackages(): Promise<string[]> {
  const found = new Set<string>();
  const visit = async (folder: string): Promise<void> => {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>;
    };
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      const dependency = `packages/${name.replace('@penstock/', '')}`;
      if (version.startsWith('workspace:') && !found.has(dependency)) {
        found.add(dependency);
        await visit(dependency);
      }
    }
  };
  await visit('apps/web');
  return [...found].sort();
}

async function filesUnder(path: string): Promise<string[]> {
  const full = join(root, path);
  const entries = await readdir(full, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    return existsSync(full) ? [path] : [];
  }
  const nested = entries
    .filter((entry) => !notInputs.has(entry.name) && !notInput.test(entry.name))
    .map((entry) => (entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)]));
  return (await Promise.all(nested)).flat();
}

async function hashOf(inputs: string[]): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Promise.all(inputs.map(filesUnder))).flat().sort();
  for (const file of files) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(root, file)));
  }
  return hash.digest('hex');
}

async function run(build: Build): Promise<void> {
  const child = spawn(build.command, build.args, {
    cwd: build.cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) {
    throw new LocalError(`${build.what} failed (exit code ${code}).`, build.remedy);
  }
}

async function buildIfChanged(build: Build): Promise<void> {
  const hash = await hashOf(build.inputs);
  const isBuilt = existsSync(build.product) && (await readFile(build.stamp, 'utf8').catch(() => '')) === hash;
  if (isBuilt) {
    return;
  }
  await rm(build.stamp, { force: true });
  await step(build.what, () => run(build));
  await build.afterwards?.();
  await writeFile(build.stamp, hash);
}

/** The Rust binary `penstock` in its release profile. */
export function buildAgent(): Promise<void> {
  return buildIfChanged({
    what: 'Building the agent (Rust; the first time takes some minutes)',
    inputs: ['apps/agent', 'packages/metadata-protocol/proto'],
    stamp: join(root, 'apps/agent/target/release/.penstock-inputs'),
    product: agentBinary,
    command: 'cargo',
    args: ['build', '--release', '--locked', '--bin', 'penstock'],
    cwd: join(root, 'apps/agent'),
    remedy: 'Look at the compiler output above. An old compiler? The agent needs Rust 1.95: run `rustup update`.',
    afterwards: writeAgentSbom,
  });
}

/** The production build of the Next app. */
export async function buildWeb(): Promise<void> {
  await buildIfChanged({
    what: 'Building the web app',
    inputs: ['apps/web', ...(await webPackages()), 'prisma/schema.prisma', 'pnpm-lock.yaml'],
    stamp: join(root, 'apps/web/.next/.penstock-inputs'),
    product: join(root, 'apps/web/.next/BUILD_ID'),
    command: pinnedNode,
    args: ['node_modules/next/dist/bin/next', 'build'],
    cwd: join(root, 'apps/web'),
    remedy: 'Look at the output above.',
  });
}
