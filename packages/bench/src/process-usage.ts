// What a process has used so far, from /proc (Linux): the benchmark compares two looks.
import { readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc/<pid>/stat: USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU time in user and kernel mode of all threads of a process, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The second field is the program's name in parentheses and may hold spaces: fields 14 (utime) and 15 (stime) follow it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Peak resident memory of a process, in MiB. */
export async function peakRssMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}

/** Resident memory of a process now, in MiB. */
export async function rssMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024;
}
