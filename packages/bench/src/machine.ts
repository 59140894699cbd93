// The machine of a measurement, as stored in every result.
import { readFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  kernel: string;
  node: string;
  /** UTC, ISO 8601. */
  date: string;
}

const BYTES_PER_GIB = 2 ** 30;

/** Facts about this machine and the current time. */
export async function describeMachine(): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model.trim() || (await cpuFromProc()) || arch(),
    cores: cpus().length,
    memory_gib: Math.round((totalmem() / BYTES_PER_GIB) * 10) / 10,
    kernel: `${platform()} ${release()}`,
    node: process.versions.node,
    date: new Date().toISOString(),
  };
}

/** Some virtual machines leave the model name empty in Node but not here. */
async function cpuFromProc(): Promise<string | undefined> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1]?.trim();
}
