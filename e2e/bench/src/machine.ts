// The machine of a measurement, as stored in every result.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { arch, cpus, platform, release, totalmem } from 'node:os';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  kernel: string;
  node: string;
  /**
   * Percentage of requested processor time that the host gave to other machines since the benchmark began. Linux only.
   */
  stolen_percent?: number;
  /** UTC time in ISO 8601. */
  date: string;
}

const BYTES_PER_GIB = 2 ** 30;

const before = processorTime();

/** Facts about this machine and the current time. */
export async function describeMachine(): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model.trim() || (await cpuFromProc()) || arch(),
    cores: cpus().length,
    memory_gib: Math.round((totalmem() / BYTES_PER_GIB) * 10) / 10,
    kernel: `${platform()} ${release()}`,
    node: process.versions.node,
    ...stolenSince(before, processorTime()),
    date: new Date().toISOString(),
  };
}

/** Some virtual machines leave the model name empty in Node but not here. */
async function cpuFromProc(): Promise<string | undefined> {
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '');
  return /^model name\s*:\s*(.+)$/m.exec(text)?.[1]?.trim();
}

/** In clock ticks since the machine started, from the first line of /proc/stat (proc_stat(5)). */
interface ProcessorTime {
  demanded: number;
  stolen: number;
}

function processorTime(): ProcessorTime | undefined {
  let text: string;
  try {
    text = readFileSync('/proc/stat', 'utf8');
  } catch {
    return undefined;
  }
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = text
    .slice(0, text.indexOf('\n'))
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { demanded: user + nice + system + irq + softirq + stolen, stolen };
}

function stolenSince(from: ProcessorTime | undefined, to: ProcessorTime | undefined): Pick<Machine, 'stolen_percent'> {
  if (from === undefined || to === undefined || to.demanded === from.demanded) {
    return {};
  }
  const percent = (100 * (to.stolen - from.stolen)) / (to.demanded - from.demanded);
  return { stolen_percent: Math.round(percent * 10) / 10 };
}
