// Runs other programs, such as the Kafka clients under test.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';

export interface RunOptions {
  /** Text for its standard input. */
  input?: string;
  /** A file for its standard input. */
  inputFile?: string;
  /** Its standard input stays open; the caller writes and closes it. */
  keepsInput?: boolean;
  timeout_ms?: number;
  env?: Record<string, string>;
}

export interface RunningProgram {
  child: ChildProcessWithoutNullStreams;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves to its exit code (null after a signal). */
  exited: Promise<number | null>;
}

/** Starts a program and collects its output. */
export function start(command: string, args: string[], options: RunOptions = {}): RunningProgram {
  const child = spawn(command, args, { env: { ...process.env, ...options.env } });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A program may exit before it has read all its input; its exit code decides.
  child.stdin.on('error', () => undefined);
  if (options.inputFile !== undefined) {
    createReadStream(options.inputFile).pipe(child.stdin);
  } else if (options.keepsInput !== true) {
    child.stdin.end(options.input ?? '');
  }
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  return {
    child,
    stdout: () => Buffer.concat(stdout).toString(),
    stderr: () => Buffer.concat(stderr).toString(),
    exited,
  };
}

/** Runs a program and returns its output. Throws with its error output when it fails or times out. */
export async function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const program = start(command, args, options);
  const timeoutMs = options.timeout_ms ?? 180_000;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    program.child.kill('SIGKILL');
  }, timeoutMs);
  const code = await program.exited;
  clearTimeout(timer);
  if (code !== 0) {
    const why = isLate ? `was ended after ${timeoutMs / 1_000} s` : `exit code ${code}`;
    const lastOutput = program.stdout().slice(-2_000);
    throw new Error(
      `${command} ${args.slice(0, 12).join(' ')}: ${why}\n${program.stderr().slice(-4_000)}\n${lastOutput}`,
    );
  }
  return program.stdout();
}

/**
 * Polls until `condition` holds, for changes made by another process. Throws with the awaited condition. The timeout is only for hangs:
 * callers that check a promised time measure it themselves.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 120_000,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadlineMs) {
      throw new Error(`Not within ${timeoutMs / 1_000} s: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
