// Runs Kafka's console tools against one system, most of them in one Java process: starting one for each tool takes longer than the tools.
import { join } from 'node:path';
import { javaClassPath } from '../../../infra/local/tools.ts';
import { JavaProgram } from '../ecosystem/java-program.ts';
import { type KafkaTool, mainClasses, startKafkaTool } from '../support/java-tools.ts';

/** Programs of ours that keep something open while tools look at it. */
export const HELPERS = { 'open-transaction': 'OpenTransaction', 'live-member': 'LiveMember' } as const;

export type Runnable = KafkaTool | keyof typeof HELPERS;

/** Tools that print while their process ends, or go on after their `main`. */
const ALONE: readonly Runnable[] = [
  'kafka-replica-verification',
  'kafka-verifiable-consumer',
  'kafka-verifiable-producer',
  'kafka-verifiable-share-consumer',
];

export interface ToolOutput {
  /** "late" when the tool did not end in time, "stopped" when it never ends and ran. */
  exit: string;
  out: string;
  err: string;
}

/** How long a tool that never ends is watched for errors. */
const WATCHED_MS = 2_000;

const NO_LOGGER = /^SLF4J: .*\n/gm;

export class ToolRunner {
  readonly #classPath: string;
  #program: JavaProgram | undefined;

  private constructor(classPath: string) {
    this.#classPath = classPath;
  }

  static async create(): Promise<ToolRunner> {
    const sources = ['OpenTransaction', 'LiveMember', 'ConsoleTools'];
    const classPaths = await Promise.all(
      sources.map((name) => javaClassPath(join(import.meta.dirname, `java/${name}.java`))),
    );
    return new ToolRunner(classPaths[0] ?? '');
  }

  /** @param runsOnceItPrints only for tools that run alone */
  async run(
    tool: Runnable,
    args: readonly string[],
    input: string,
    timeoutMs: number,
    runsOnceItPrints?: RegExp,
  ): Promise<ToolOutput> {
    if (ALONE.includes(tool)) {
      return await runAlone(tool as KafkaTool, args, timeoutMs, runsOnceItPrints);
    }
    this.#program ??= new JavaProgram(this.#classPath, 'ConsoleTools', []);
    const words = [String(timeoutMs), mainClassOf(tool), input, ...args];
    const command = words.map((word) => Buffer.from(word).toString('base64')).join(' ');
    const [exit = '', out = '', err = ''] = await this.#program.ask(command);
    if (exit === 'late') {
      // What the tool left behind must not disturb the next one.
      await this.stop();
    }
    const text = (base64: string): string => Buffer.from(base64, 'base64').toString();
    return { exit, out: text(out), err: text(err).replaceAll(NO_LOGGER, '') };
  }

  async stop(): Promise<void> {
    await this.#program?.kill();
    this.#program = undefined;
  }
}

async function runAlone(
  tool: KafkaTool,
  args: readonly string[],
  timeoutMs: number,
  runsOnceItPrints: RegExp | undefined,
): Promise<ToolOutput> {
  const program = await startKafkaTool(tool, [...args]);
  let ended: 'late' | 'stopped' | undefined;
  const endAs = (how: 'late' | 'stopped'): void => {
    ended ??= how;
    program.child.kill('SIGKILL');
  };
  const timers = [setTimeout(() => endAs('late'), timeoutMs)];
  let isRunning = false;
  program.child.stdout.on('data', () => {
    if (!isRunning && runsOnceItPrints?.test(program.stdout()) === true) {
      isRunning = true;
      timers.push(setTimeout(() => endAs('stopped'), WATCHED_MS));
    }
  });
  const code = await program.exited;
  timers.forEach(clearTimeout);
  const err = program.stderr().replaceAll(NO_LOGGER, '');
  return { exit: ended ?? String(code), out: program.stdout(), err };
}

function mainClassOf(tool: Runnable): string {
  return tool in HELPERS ? HELPERS[tool as keyof typeof HELPERS] : mainClasses[tool as KafkaTool];
}
