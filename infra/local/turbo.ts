// Starts turbo, which runs the tasks that turbo.json declares.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pinnedNode, root } from './paths.ts';

const turbo = join(root, 'node_modules/turbo/bin/turbo');

/** Finds pnpm, which turbo runs scripts with, and the pinned Node, without which a shell script would stand between. */
const environment = {
  ...process.env,
  PATH: [dirname(pinnedNode), join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  TURBO_TELEMETRY_DISABLED: '1',
};

/** Runs tasks. Its output is lines of JSON. It leads a group of processes, to which signals must go. */
export function startTurbo(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(pinnedNode, [turbo, 'run', ...args, '--json'], {
    cwd: root,
    env: { ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
}

/** The tasks that a task waits for, as turbo.json says; undefined when there is no such task. */
export async function tasksBefore(task: string): Promise<string[] | undefined> {
  const { tasks } = JSON.parse(await readFile(join(root, 'turbo.json'), 'utf8')) as {
    tasks: Record<string, { dependsOn?: string[] }>;
  };
  return new Map(Object.entries(tasks)).get(task)?.dependsOn;
}

/** A hash of everything that determines a task's result: its inputs, and those of the packages it depends on. */
export async function hashOfTask(task: string): Promise<string> {
  const args = [turbo, 'run', task, '--dry=json'];
  const { stdout } = await promisify(execFile)(pinnedNode, args, {
    cwd: root,
    env: environment,
    maxBuffer: 64 * 1024 ** 2,
  });
  const { tasks } = JSON.parse(stdout) as { tasks: { taskId: string; hash: string }[] };
  const found = tasks.find(({ taskId }) => taskId === task);
  if (found === undefined) {
    throw new Error(`turbo knows no task ${task}`);
  }
  return found.hash;
}
