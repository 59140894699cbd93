// Builds the agent and the web app when their inputs have changed since the last build. turbo tells whether they have; it does not restore
// what it would have cached, since that rewrites files under programs that are running.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { agentBinary, pinnedNode, root } from './paths.ts';
import { writeAgentSbom } from './sbom.ts';
import { LocalError, step } from './terminal.ts';
import { hashOfTask } from './turbo.ts';

interface Build {
  what: string;
  /** The task of turbo.json that declares what it is built from. */
  task: string;
  /** The file with turbo's hash of the task, written after a successful build inside the build's folder. */
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
  const hash = await hashOfTask(build.task);
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
    task: '@penstock/agent#build',
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
export function buildWeb(): Promise<void> {
  return buildIfChanged({
    what: 'Building the web app',
    task: '@penstock/web#build',
    stamp: join(root, 'apps/web/.next/.penstock-inputs'),
    product: join(root, 'apps/web/.next/BUILD_ID'),
    command: pinnedNode,
    args: ['node_modules/next/dist/bin/next', 'build'],
    cwd: join(root, 'apps/web'),
    remedy: 'Look at the output above.',
  });
}
