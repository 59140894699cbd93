// A file of a local system's processes, so that a start after a kill -9 finds what was left running.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface LedgerEntry {
  name: string;
  pid: number;
  /** The process's start time as the kernel counts it: it differs when the pid was reused. */
  start: string;
}

/** Start time of a process (clock ticks since boot, field 22 of /proc/<pid>/stat); empty without /proc. */
export async function processStart(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses and may contain spaces.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function ledgerFile(home: string): string {
  return join(home, 'processes.json');
}

export class ProcessLedger {
  readonly #file: string;
  #entries: LedgerEntry[] = [];
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(home: string) {
    this.#file = ledgerFile(home);
  }

  add(entry: LedgerEntry): Promise<void> {
    this.#entries = [...this.#entries.filter((other) => other.name !== entry.name), entry];
    return this.#write();
  }

  remove(name: string): Promise<void> {
    this.#entries = this.#entries.filter((entry) => entry.name !== name);
    return this.#write();
  }

  /** Resolves when all changes so far are written. */
  settled(): Promise<void> {
    return this.#lastWrite;
  }

  #write(): Promise<void> {
    const text = JSON.stringify(this.#entries);
    this.#lastWrite = this.#lastWrite.then(async () => {
      await writeFile(`${this.#file}.new`, text, { mode: 0o600 });
      await rename(`${this.#file}.new`, this.#file);
    });
    return this.#lastWrite;
  }
}

/** Processes of an earlier run that are still alive. */
async function leftovers(file: string): Promise<LedgerEntry[]> {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  const entries = JSON.parse(text) as LedgerEntry[];
  const checked = await Promise.all(
    entries.map(async (entry) =>
      (await processStart(entry.pid)) === entry.start && entry.start !== '' ? [entry] : [],
    ),
  );
  return checked.flat();
}

const TIMEOUT_MS = 10_000;

/** Stops what a killed start left running: SIGTERM to all, then SIGKILL after ten seconds. */
export async function endLeftovers(home: string): Promise<void> {
  const file = ledgerFile(home);
  const found = await leftovers(file);
  for (const entry of found) {
    signalGroup(entry.pid, 'SIGTERM');
  }
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (let left = found; left.length > 0; left = await leftovers(file)) {
    if (Date.now() > deadlineMs) {
      for (const entry of left) {
        signalGroup(entry.pid, 'SIGKILL');
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It ended in the meantime.
  }
}
