// A signal to npm's process reaches the program that it started, as the root's package.json starts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pinnedNode, root } from './paths.ts';

let folder: string;
let npm: ChildProcess | undefined;
let programPid: number | undefined;

afterEach(async () => {
  npm?.kill('SIGKILL');
  try {
    if (programPid !== undefined) {
      process.kill(programPid, 'SIGKILL');
    }
  } catch {
    // It has ended, as it should.
  }
  await rm(folder, { recursive: true, force: true });
});

/** A clone after its first start: the pinned Node is installed, and npm finds pnpm's script for it first. */
async function cloneWithNode(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'penstock-npm-'));
  await mkdir(join(folder, 'infra/local'), { recursive: true });
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true });
  await symlink(pinnedNode, join(folder, 'node_modules/node/bin/node'));
  const shim = '#!/bin/sh\nbasedir=$(dirname "$0")\n"$basedir/../node/bin/node" "$@"\nexit $?\n';
  await writeFile(join(folder, 'node_modules/.bin/node'), shim, { mode: 0o755 });
  await cp(join(root, 'infra/local/run.sh'), join(folder, 'infra/local/run.sh'));
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'clone', scripts: { start: scripts.start } }));
  const program = `
    process.on('SIGINT', () => { console.log('got SIGINT'); process.exit(0); });
    setInterval(() => undefined, 1000);
    console.log('ready ' + process.pid);
  `;
  await writeFile(join(folder, 'infra/local/bootstrap.mjs'), program);
}

/** The path of somebody's shell. `npm test` adds folders in which `node` is pnpm's script, so npm itself would be its child. */
function shellPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.filter((each) => !each.includes('node_modules')).join(delimiter);
}

test('SIGINT to npm reaches the program from the second start on', async () => {
  await cloneWithNode();
  npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PATH: shellPath() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const printed = Promise.withResolvers<void>();
  npm.stdout?.on('data', (text: Buffer) => {
    output += String(text);
    const [, pid] = /ready (\d+)/.exec(output) ?? [];
    if (pid !== undefined && programPid === undefined) {
      programPid = Number(pid);
      printed.resolve();
    }
  });
  await printed.promise;
  npm.kill('SIGINT');
  await once(npm, 'exit');
  expect(output).toContain('got SIGINT');
});
