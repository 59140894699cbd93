// The tracked results of fuzzing: seeds, hours and executions add up over runs, with the commits that they ran on.

/** A line of the report that `runFuzz` (e2e/support) writes. */
export interface FuzzRun {
  group: string;
  property: string;
  seed: number;
  executions: number;
  cpuSeconds: number;
  isFailed: boolean;
}

/** One long run of all properties of a group. */
interface GroupRun {
  commit: string;
  seed: number;
  executions: number;
  cpu_hours: number;
  /** Names of the properties that failed. */
  failed: string[];
}

interface Group {
  executions: number;
  cpu_hours: number;
  /** Faults that were found, each with the commit that fixed it. */
  findings: { fault: string; commit: string }[];
  runs: GroupRun[];
}

export interface FuzzResults {
  command: string;
  groups: Record<string, Group>;
}

const SECONDS_PER_HOUR = 3_600;

const hours = (value: number): number => Number(value.toFixed(4));

/** Adds the runs of properties to their groups. */
export function addRuns(results: FuzzResults, commit: string, runs: readonly FuzzRun[]): FuzzResults {
  const groups = { ...results.groups };
  for (const [name, ofGroup] of Map.groupBy(runs, ({ group }) => group)) {
    const before = groups[name] ?? { executions: 0, cpu_hours: 0, findings: [], runs: [] };
    const added = [...Map.groupBy(ofGroup, ({ seed }) => seed)].map(
      ([seed, ofSeed]): GroupRun => ({
        commit,
        seed,
        executions: sum(ofSeed.map(({ executions }) => executions)),
        cpu_hours: hours(sum(ofSeed.map(({ cpuSeconds }) => cpuSeconds)) / SECONDS_PER_HOUR),
        failed: ofSeed.filter(({ isFailed }) => isFailed).map(({ property }) => property),
      }),
    );
    const all = [...before.runs, ...added];
    groups[name] = {
      executions: sum(all.map(({ executions }) => executions)),
      cpu_hours: hours(sum(all.map(({ cpu_hours }) => cpu_hours))),
      findings: before.findings,
      runs: all,
    };
  }
  return { ...results, groups };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
