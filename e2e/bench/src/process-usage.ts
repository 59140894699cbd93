// What a process has used so far, from /proc (Linux). Benchmarks subtract two readings.
import { readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc/<pid>/stat: USER_HZ, which is 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100;

/** CPU time in user and kernel mode of all threads of a process, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = await statFields(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * CPU time of a process and all its descendants, including those that have exited and been waited for, in seconds. PostgreSQL uses one
 * process per connection.
 */
export async function cpuSecondsOfTree(pid: number): Promise<number> {
  const ownFields = await statFields(pid);
  const own = [11, 12, 13, 14].reduce((sum, field) => sum + Number(ownFields[field]), 0) / TICKS_PER_SECOND;
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  let living = 0;
  for (const child of children === '' ? [] : children.split(' ')) {
    // A process that has just exited is included in its parent's time at the next reading.
    living += await cpuSeconds(Number(child)).catch(() => 0);
  }
  return own + living;
}

async function statFields(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may contain spaces: fields 14 (utime) and 15 (stime) follow it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Peak resident memory of a process, in MiB. */
export async function peakRssMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** Current resident memory of a process, in MiB. */
export async function rssMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}
