// A client in another language: its history is read from its standard output while it runs.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { HistoryEvent } from './history.ts';

/** Only for hangs: the brokers are healthy by then. */
const TIMEOUT_MS = 180_000;

export class ClientProgram {
  readonly name: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #stopped: Promise<void>;
  #errors = '';

  /** @param settings a line for its standard input, if any */
  constructor(name: string, command: string, args: string[], settings: string, write: (event: HistoryEvent) => void) {
    this.name = name;
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#exited = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', () => resolve());
    });
    // A failure is reported where it is awaited.
    this.#exited.catch(() => undefined);
    this.#child.stdin?.on('error', () => undefined);
    this.#child.stdin?.write(settings);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-4_000);
    });
    const { stdout } = this.#child;
    if (stdout === null) {
      throw new Error(`${name} has no output`);
    }
    this.#stopped = new Promise((resolve) => {
      createInterface({ input: stdout }).on('line', (line) => {
        const event = JSON.parse(line) as HistoryEvent | { t: 'stopped' };
        if (event.t === 'stopped') {
          resolve();
        } else {
          write(event);
        }
      });
    });
  }

  /** Stops sending; resolves when every record has its outcome. */
  stopProducing(): Promise<void> {
    this.#child.stdin?.write('stop\n');
    return this.#inTime('stopped', this.#stopped);
  }

  /** Reads on to the ends, then everything again. */
  finish(ends: ReadonlyMap<string, number>): Promise<void> {
    this.#child.stdin?.end(`finish ${[...ends].map(([name, end]) => `${name}=${end}`).join(',')}\n`);
    return this.#inTime('ended', this.#exited);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #inTime(what: string, done: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const fail = (how: string): void => reject(new Error(`${this.name} ${how}: ${this.#errors}`));
      timer = setTimeout(() => fail(`has not ${what} within ${TIMEOUT_MS / 1_000} s`), TIMEOUT_MS);
      if (done !== this.#exited) {
        this.#exited.then(
          () => fail('ended early'),
          (error: Error) => fail(error.message),
        );
      }
    });
    try {
      await Promise.race([done, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
