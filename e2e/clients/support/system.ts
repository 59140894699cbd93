// Systems for tests: in their own folder, on free ports, without web app and worker, silent unless a process dies.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningSystem, type SystemOptions, startSystem } from '../../../infra/local/system.ts';
import { copyDatabaseTemplate } from './database-template.ts';

export interface TestSystem extends RunningSystem {
  /** Processes that exited unexpectedly, with their last log lines. */
  deaths: string[];
  home: string;
}

/** Starts a system; `stop` ends it and removes its data. */
export async function startTestSystem(
  options: Pick<
    SystemOptions,
    | 'agents'
    | 'metadataProcesses'
    | 'hasWeb'
    | 'hasWorker'
    | 'controlPlaneEnv'
    | 'metadataEnv'
    | 'databaseUrl'
    | 'hasDemo'
  > = {},
): Promise<TestSystem> {
  const home = await mkdtemp(join(tmpdir(), 'penstock-e2e-'));
  if (options.databaseUrl === undefined) {
    await copyDatabaseTemplate(home);
  }
  const deaths: string[] = [];
  const system = await startSystem({
    hasWeb: false,
    hasWorker: false,
    ...options,
    // Sign-ups of tests work as little as possible.
    controlPlaneEnv: { PENSTOCK_SIGN_UP_ITERATIONS: '1', ...options.controlPlaneEnv },
    // Objects go as soon as nothing needs them, so that tests meet their absence.
    metadataEnv: { PENSTOCK_RESTORE_WINDOW_HOURS: '0', ...options.metadataEnv },
    home,
    isQuiet: true,
    events: {
      onDeath: (name, reason, lastLines) => deaths.push(`${name} ended (${reason}):\n${lastLines}`),
      onRestart: () => undefined,
      onDatabaseDeath: (lastLines) => deaths.push(`PostgreSQL ended: ${lastLines}`),
    },
  });
  const stop = system.stop.bind(system);
  return Object.assign(system, {
    deaths,
    home,
    stop: async () => {
      await stop();
      if (process.env['PENSTOCK_E2E_KEEP'] === undefined) {
        await rm(home, { recursive: true, force: true });
      }
    },
  });
}
