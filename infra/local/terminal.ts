// Terminal output of the commands: single lines of progress, and problems with their remedy.

/** A problem for the person at the terminal: shown with a remedy and without a stack trace. */
export class LocalError extends Error {
  readonly remedy: string;

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(problem, options);
    this.name = 'LocalError';
    this.remedy = remedy;
  }
}

export function say(text: string): void {
  process.stdout.write(`• ${text}\n`);
}

export function complain(error: unknown): void {
  if (error instanceof LocalError) {
    process.stderr.write(`\n✗ ${error.message}\n  ${error.remedy}\n\n`);
  } else {
    process.stderr.write(`\n✗ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n\n`);
  }
}

export function seconds(durationMs: number): string {
  return `${(durationMs / 1_000).toFixed(1)} s`;
}

/** Prints what is being done, and how long it took. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  say(what);
  const startMs = performance.now();
  const result = await work();
  const durationMs = performance.now() - startMs;
  if (durationMs > 1_000) {
    say(`  done in ${seconds(durationMs)}`);
  }
  return result;
}
