// A running libFuzzer program: how far it is, what it uses, and how it ended.
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { cpuSeconds, rssMib } from '../process-usage.ts';

/** libFuzzer's status when it is interrupted. */
const INTERRUPTED = 72;
/** A panic's message and input come last. */
const KEPT_OUTPUT_CHARS = 20_000;

export interface FuzzReading {
  target: string;
  executions: number;
  cpuSeconds: number;
  rssMib: number;
  /** Heap held by the agent's code, as last printed by the target; undefined before that. */
  heldBytes: number | undefined;
  /** Inputs that libFuzzer keeps in memory. */
  corpusInputs: number;
}

export class FuzzProcess {
  readonly #target: string;
  readonly #child: ChildProcessByStdio<null, null, Readable>;
  readonly #ended: Promise<void>;
  #isRunning = true;
  #isStopping = false;
  #isFailed = false;
  #executions = 0;
  #corpusInputs = 0;
  readonly #heldBytes: number[] = [];
  #output = '';
  #unfinishedLine = '';
  #last: FuzzReading | undefined;

  /** @param endsByItself when it has run a given number of inputs; otherwise that is a failure */
  constructor(target: string, child: ChildProcessByStdio<null, null, Readable>, endsByItself = false) {
    this.#target = target;
    this.#child = child;
    // Killed with this process, also when it is stopped from outside.
    const kill = (): boolean => child.kill('SIGKILL');
    process.once('exit', kill);
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    this.#ended = new Promise((resolve) => {
      const end = (isFailed: boolean): void => {
        this.#isRunning = false;
        this.#isFailed = isFailed;
        process.off('exit', kill);
        resolve();
      };
      child.once('error', (error) => {
        this.#output += error.message;
        end(true);
      });
      child.once('close', (code) =>
        end(!(code === 0 ? endsByItself || this.#isStopping : code === INTERRUPTED && this.#isStopping)),
      );
    });
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** It panicked, hung, used too much memory, or ended early. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** The last of what it printed. */
  get output(): string {
    return this.#output;
  }

  /** The last reading, with the executions counted at the end. */
  get last(): FuzzReading | undefined {
    return this.#last === undefined ? undefined : { ...this.#last, ...this.#printed() };
  }

  /** Heap held by the agent's code, at equal intervals of executions after the first thousand. */
  get heldBytes(): readonly number[] {
    return this.#heldBytes;
  }

  /** Returns the usage so far; undefined if the process has just ended. */
  async read(): Promise<FuzzReading | undefined> {
    const pid = this.#child.pid;
    if (pid === undefined) {
      return undefined;
    }
    try {
      const [cpu, rss] = await Promise.all([cpuSeconds(pid), rssMib(pid)]);
      // A process that has ended and was not waited for yet has no memory.
      if (Number.isNaN(rss)) {
        return undefined;
      }
      this.#last = { target: this.#target, cpuSeconds: cpu, rssMib: rss, ...this.#printed() };
      return this.#last;
    } catch {
      return undefined;
    }
  }

  stop(): void {
    this.#isStopping = true;
    this.#child.kill('SIGINT');
  }

  /** Waits until it ends, but not longer than this. */
  async endedWithin(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
  }

  #printed(): Pick<FuzzReading, 'executions' | 'heldBytes' | 'corpusInputs'> {
    return {
      executions: this.#executions,
      heldBytes: this.#heldBytes.at(-1),
      corpusInputs: this.#corpusInputs,
    };
  }

  #take(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT_OUTPUT_CHARS);
    const lines = (this.#unfinishedLine + text).split('\n');
    this.#unfinishedLine = lines.pop() ?? '';
    for (const line of lines) {
      this.#takeLine(line);
    }
  }

  #takeLine(line: string): void {
    const heap = /^heap: (\d+) executions, (\d+) bytes held/.exec(line);
    if (heap !== null) {
      this.#heldBytes.push(Number(heap[2]));
    }
    const count = /^#(\d+)\t/.exec(line) ?? /^stat::number_of_executed_units:\s*(\d+)/.exec(line) ?? heap;
    this.#executions = Math.max(this.#executions, Number(count?.[1] ?? 0));
    const inputs = / corp: (\d+)\//.exec(line);
    if (inputs !== null) {
      this.#corpusInputs = Number(inputs[1]);
    }
  }
}
