// What is run against both systems: lists of tool runs, each of which begins with what it needs.
import type { Runnable } from './tool-runner.ts';

export interface ToolCase {
  tool: Runnable;
  /** `{bootstrap}` and `{file}` are replaced; `--bootstrap-server` is added unless the case says otherwise. */
  args: readonly string[];
  /** Whether the tool names its servers in another way, or none. */
  isBare?: boolean;
  /** The standard input of the tool. */
  input?: string;
  /** Content of the file that `{file}` names. */
  file?: string;
  /** Output that differs in every run, and its replacement. */
  hides?: readonly (readonly [RegExp, string])[];
  /** Lines come in any order. */
  isUnordered?: boolean;
  /** Timeout of a tool that waits for something that never comes. */
  timeoutMs?: number;
  /** Output that shows that a tool without an end is running. It is stopped soon after that. */
  runsOnceItPrints?: RegExp;
}

export interface Scenario {
  name: string;
  /** Whether it is also part of `npm test`. */
  isFast?: boolean;
  cases: readonly ToolCase[];
}

/** How a case is called in reports, and in the table of differences. */
export function nameOf({ tool, args }: ToolCase): string {
  return [tool, ...args].join(' ');
}
