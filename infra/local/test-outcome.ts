// What a step of `npm test` found.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Outcome {
  name: string;
  /** The task of turbo that ran it, such as `@penstock/web#build`. */
  task: string;
  isPassed: boolean;
  durationMs: number;
  /** CPU time of its processes, and how busy the machine was meanwhile. */
  use: string;
  passed: number;
  failed: number;
  /** Why it failed, when its log does not say. */
  reason?: string;
  /** Missing when the step did not run. */
  logFile?: string;
}

export const testTools = ['vitest', 'cargo', 'playwright'] as const;
export type TestTool = (typeof testTools)[number];

/** The file of a step in the folder of logs. */
export function fileOf(name: string, ending: 'log' | 'json'): string {
  return `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.${ending}`;
}

/** The outcome of a step; undefined when it has not finished. */
export async function outcomeOf(folder: string, name: string): Promise<Outcome | undefined> {
  const text = await readFile(join(folder, fileOf(name, 'json')), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Outcome);
}

/** The numbers of tests in a log; undefined when it has none. */
export function countTests(tool: TestTool, log: string): { passed: number; failed: number } | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours begin with the escape character.
  const text = log.replaceAll(/\u001b\[[0-9;]*m/g, '');
  const sum = (pattern: RegExp): number =>
    [...text.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
  const counts = {
    vitest: { passed: sum(/^\s*Tests\s.*?(\d+) passed/gm), failed: sum(/^\s*Tests\s.*?(\d+) failed/gm) },
    cargo: { passed: sum(/^test result: .*? (\d+) passed/gm), failed: sum(/^test result: .*?; (\d+) failed/gm) },
    playwright: { passed: sum(/^\s+(\d+) passed/gm), failed: sum(/^\s+(\d+) failed/gm) },
  }[tool];
  return counts.passed + counts.failed === 0 ? undefined : counts;
}
