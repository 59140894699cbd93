// Kills and suspends a system's processes, and restarts them as a supervisor does.
import type { ManagedProcess } from '../../../infra/local/managed-process.ts';
import { ownerOf } from '../support/cluster-owner.ts';
import { until } from '../support/run.ts';
import type { TestSystem } from '../support/system.ts';
import type { ProcessStep } from './schedule.ts';

/** Only for hangs: waits for recovery after all faults. */
export const TIMEOUT_MS = 180_000;
/** After this pause the system's own supervisor no longer restarts a process that could not start. */
const RESTART_PAUSE_MS = 11_000;

/** The process that a step targets; `draw` picks one of several agents. */
export async function findVictim(
  { agents, metadata, worker, databaseUrl, demo }: TestSystem,
  victim: ProcessStep['victim'],
  draw: number,
): Promise<ManagedProcess | undefined> {
  if (victim === 'agent') {
    return agents[Math.floor(draw * agents.length)]?.process;
  }
  if (victim === 'worker') {
    return worker;
  }
  const ownerUrl = await ownerOf(databaseUrl, demo?.clusterId ?? '');
  return metadata.find(({ url }) => (url === ownerUrl) === (victim === 'owner'))?.process;
}

/** Kills it and restarts it after the pause, or suspends it for that time. */
export async function strikeProcess(
  process: ManagedProcess,
  how: ProcessStep['how'],
  pause: () => Promise<void>,
): Promise<void> {
  if (how === 'suspended') {
    process.signal('SIGSTOP');
    await pause();
    process.signal('SIGCONT');
    return;
  }
  await process.kill();
  await pause();
  await bringUp(process);
}

/**
 * Restarts as a supervisor does: an agent that cannot reach the bucket exits, and is started again.
 * @throws when it does not become ready in time
 */
export async function bringUp(process: ManagedProcess): Promise<void> {
  const { name, readyUrl } = process.plan;
  const deadlineMs = Date.now() + TIMEOUT_MS;
  for (;;) {
    const problem = await process.start().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem === undefined) {
      break;
    }
    if (Date.now() > deadlineMs) {
      throw new Error(`${name} does not start`, { cause: problem });
    }
    if (process.pid === undefined) {
      await new Promise((resolve) => setTimeout(resolve, RESTART_PAUSE_MS));
    } else {
      const isReady = (): Promise<boolean> =>
        fetch(readyUrl).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(`${name} is ready`, async () => process.pid === undefined || (await isReady()), TIMEOUT_MS);
      break;
    }
  }
}

/** Processes that exited by themselves. An agent that cannot reach the bucket at startup logs that and exits. */
export function unexpectedDeaths({ deaths }: TestSystem): string[] {
  const couldNotStart = (death: string): boolean =>
    death.includes('ended (exit code 1)') && death.split('\n').at(-1)?.includes('ERROR --bucket: ') === true;
  return deaths.filter((death) => !couldNotStart(death));
}
