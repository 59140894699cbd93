// Many connections in a process of their own: idle ones, and TLS handshakes that do not end.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { accessOptions, nativeGenerator, type Server } from '../agent-load.ts';

export interface CrowdReport {
  /** Idle connections that still answered in the end. */
  idleAnswered: number;
  slowBegun: number;
  /** Slow connections closed by the server. */
  slowClosed: number;
}

export class Crowd {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #errors: string[];

  private constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.#errors = [];
    child.stderr.on('data', (chunk: Buffer) => this.#errors.push(chunk.toString()));
  }

  /** Resolves when all idle connections are open and the slow ones begin. */
  static async gather(server: Server, { idle, slow }: { idle: number; slow: number }): Promise<Crowd> {
    const program = await nativeGenerator();
    const options = ['crowd', '--idle', String(idle), '--slow', String(slow)];
    const args = ['--bootstrap', server.bootstrap, ...accessOptions(server.access), ...options];
    const crowd = new Crowd(spawn(program, args));
    const line = await crowd.#line();
    if (line !== 'ready') {
      throw new Error(`The crowd did not gather: ${line}`);
    }
    return crowd;
  }

  /** Asks each idle connection once more, and closes all. */
  async end(): Promise<CrowdReport> {
    this.#child.stdin.write('\n');
    const report = JSON.parse(await this.#line()) as {
      idle_answered: number;
      slow_begun: number;
      slow_closed: number;
    };
    if (this.#child.exitCode === null) {
      await once(this.#child, 'exit');
    }
    return { idleAnswered: report.idle_answered, slowBegun: report.slow_begun, slowClosed: report.slow_closed };
  }

  async #line(): Promise<string> {
    const { done, value } = await this.#lines.next();
    if (done === true) {
      throw new Error(`The crowd ended: ${this.#errors.join('').slice(-2_000)}`);
    }
    return value;
  }
}
