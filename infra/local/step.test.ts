import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pinnedNode, root } from './paths.ts';
import { fileOf, outcomeOf } from './test-outcome.ts';
import { tasksBefore } from './turbo.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-step-'));
});

afterEach(() => rm(folder, { recursive: true }));

function start(args: string[], program: string): ChildProcess {
  return spawn(pinnedNode, [join(root, 'infra/local/step.ts'), ...args, '--', pinnedNode, '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PENSTOCK_TEST_LOGS: folder },
  });
}

async function run(args: string[], program: string): Promise<{ code: number | null; output: string }> {
  const step = start(args, program);
  let output = '';
  step.stdout?.on('data', (text: Buffer) => {
    output += String(text);
  });
  const [code] = (await once(step, 'close')) as [number | null];
  return { code, output };
}

test('a step that fails prints the end of its log and fails', async () => {
  const { code, output } = await run(['lint of it'], 'console.log("line 7 is wrong"); process.exit(3)');
  expect(code).toBe(1);
  expect(output).toMatch(/^✗ lint of it .*\n {4}line 7 is wrong\n {4}whole log: /);
  expect(await outcomeOf(folder, 'lint of it')).toMatchObject({ isPassed: false, passed: 0, failed: 1 });
});

test('a step reports the CPU time of its processes', async () => {
  // By its own clock of CPU time: on a busy machine, a process may run for a moment without getting any.
  await run(['busy'], 'while (process.cpuUsage().user < 300_000);');
  const use = (await outcomeOf(folder, 'busy'))?.use ?? '';
  const [, cpuSeconds] = /^ *(\d+\.\d) s CPU, cores \d+ % busy$/.exec(use) ?? [];
  expect(Number(cpuSeconds)).toBeGreaterThanOrEqual(0.3);
  // Node's start adds some, and nothing else on the machine.
  expect(Number(cpuSeconds)).toBeLessThan(3);
});

test('a step counts the tests of its command', async () => {
  const { code } = await run(['some', '--tests', 'cargo'], 'console.log("test result: ok. 3 passed; 0 failed;")');
  expect(code).toBe(0);
  expect(await outcomeOf(folder, 'some')).toMatchObject({ isPassed: true, passed: 3, failed: 0 });
});

test('a step that ran no tests fails, whatever its exit code', async () => {
  const { code, output } = await run(['none', '--tests', 'vitest'], '');
  expect(code).toBe(1);
  expect(output).toContain('it ran no tests');
});

test('a step does not run after one that it needs has failed', async () => {
  await run(['build'], 'process.exit(1)');
  const { code, output } = await run(['clients', '--after', 'build'], 'console.log("ran")');
  expect(code).toBe(1);
  expect(output).toContain('not run: build failed');
  expect(output).not.toContain('ran\n');
});

test('a step of low priority leaves most of the cores to others', async () => {
  await run(['slow', '--low-priority'], 'console.log("niceness", os.getPriority())');
  const log = await readFile(join(folder, fileOf('slow', 'log')), 'utf8');
  expect(Number(/niceness (\d+)/.exec(log)?.[1])).toBeGreaterThanOrEqual(5);
});

test('SIGTERM to a step ends its command', async () => {
  const program =
    'process.on("SIGTERM", () => { console.log("told"); process.exit(0); }); console.log("ready"); setInterval(() => 0, 1e3)';
  const step = start(['long'], program);
  const log = (): Promise<string> => readFile(join(folder, fileOf('long', 'log')), 'utf8').catch(() => '');
  await expect.poll(log).toContain('ready');
  step.kill('SIGTERM');
  await once(step, 'exit');
  expect(await log()).toContain('told');
});

test('every step of npm test is a script that reports its outcome', async () => {
  const scripts = new Map<string, string>();
  for (const file of globSync(['{apps,packages,infra,e2e}/*/package.json', 'e2e/package.json'], {
    cwd: root,
  })) {
    const manifest = JSON.parse(await readFile(join(root, file), 'utf8')) as { name: string; scripts?: object };
    for (const [script, command] of Object.entries(manifest.scripts ?? {})) {
      scripts.set(`${manifest.name}#${script}`, command);
    }
  }
  const names = [...scripts.values()].flatMap((command) => /step\.ts ('[^']+'|\S+)/.exec(command)?.[1] ?? []);
  const groups = await Promise.all(
    ['static', 'unit', 'rust', 'e2e', 'browser'].map((group) => tasksBefore(`gate:${group}`)),
  );
  for (const task of groups.flatMap((tasks) => tasks ?? ['a group without steps'])) {
    const command = scripts.get(task);
    expect(command, task).toContain('step.ts ');
    for (const [, needed] of (command ?? '').matchAll(/--after ('[^']+'|\S+)/g)) {
      expect(names, task).toContain(needed);
    }
  }
});
