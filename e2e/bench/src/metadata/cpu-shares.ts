// CPU time per commit and process under load. On a shared machine it is more meaningful than the rate.
import { type Load, type LoopResult, runClosedLoop } from '../closed-loop.ts';

/** CPU milliseconds per commit, by process. */
export type CpuMsPerCommit = Record<string, number>;

export interface MeasuredCommits extends LoopResult {
  cpuMsPerCommit: CpuMsPerCommit;
}

/**
 * Runs the load, and reads before and after it what the processes have used, including the warm-up.
 * @param usedSeconds CPU seconds used so far, by process
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
