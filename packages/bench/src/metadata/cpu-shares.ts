// What each process spends on a commit while a load runs. Processor time tells more than the rate on a machine that others use too.
import { type Load, type LoopResult, runClosedLoop } from '../closed-loop.ts';

/** Processor milliseconds per commit, by process. */
export type CpuMsPerCommit = Record<string, number>;

export interface MeasuredCommits extends LoopResult {
  cpuMsPerCommit: CpuMsPerCommit;
}

/**
 * Runs the load, and looks before and after it at what the processes have used, warm-up included.
 * @param usedSeconds by process: what it has used so far
 */
export async function measureWithCpu(
  load: Load,
  usedSeconds: Record<string, () => Promise<number>>,
  commit: () => Promise<unknown>,
): Promise<MeasuredCommits> {
  const readCpu = (): Promise<number[]> => Promise.all(Object.values(usedSeconds).map((seconds) => seconds()));
  let commits = 0;
  const before = await readCpu();
  const result = await runClosedLoop(load, () => {
    commits += 1;
    return commit();
  });
  const after = await readCpu();
  const cpuMsPerCommit: CpuMsPerCommit = {};
  for (const [index, name] of Object.keys(usedSeconds).entries()) {
    cpuMsPerCommit[name] = (((after[index] ?? 0) - (before[index] ?? 0)) * 1_000) / commits;
  }
  return { ...result, cpuMsPerCommit };
}
