// A Java program controlled by lines on its standard input. It answers each with lines, of which the last is a dot.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const END = '.';
/** Small and quick to start: several run in parallel. The logger writes to standard error. */
const FLAGS = [
  ...['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn',
];

interface Question {
  lines: string[];
  resolve(lines: string[]): void;
  reject(error: Error): void;
}

export class JavaProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<void>;
  readonly #questions: Question[] = [];
  #errors = '';
  #hasEnded = false;

  constructor(classPath: string, mainClass: string, args: string[]) {
    this.#child = spawn('java', [...FLAGS, '-cp', classPath, mainClass, ...args]);
    this.#child.stdin.on('error', () => undefined);
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-8_000);
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#hear(line));
    this.#exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#hasEnded = true;
        const error = new Error(`${mainClass} ended (${code ?? signal}): ${this.#errors}`);
        for (const question of this.#questions.splice(0)) {
          question.reject(error);
        }
        resolve();
      });
    });
  }

  /** The end of its log. */
  get errors(): string {
    return this.#errors;
  }

  /** Whether it has exited. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** @throws when the program exits before it has answered */
  ask(command: string): Promise<string[]> {
    if (this.#hasEnded) {
      return Promise.reject(new Error(`The program has ended: ${this.#errors}`));
    }
    return new Promise((resolve, reject) => {
      this.#questions.push({ lines: [], resolve, reject });
      this.#child.stdin.write(`${command}\n`);
    });
  }

  /** Suspends it, or has it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(signal);
  }

  /** `kill -9`, or SIGTERM for a graceful stop; resolves when it has exited. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.#exited;
  }

  #hear(line: string): void {
    const question = this.#questions[0];
    if (line !== END) {
      question?.lines.push(line);
      return;
    }
    this.#questions.shift();
    question?.resolve(question.lines);
  }
}
