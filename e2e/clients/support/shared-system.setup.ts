// The system shared by all tests that do it no harm: two agents in two zones, on one bucket.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { setUpDatabaseTemplate } from './database-template.ts';
import { startTestSystem } from './system.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** host:port of the first agent. */
    bootstrap: string;
    /** host:port of the second agent. */
    otherBootstrap: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env['PENSTOCK_E2E_TARGET'] === 'kafka') {
    const broker = await startKafkaBroker(join(tmpdir(), `penstock-e2e-kafka-${process.pid}`), '512m');
    project.provide('bootstrap', broker.bootstrap);
    project.provide('otherBootstrap', broker.bootstrap);
    return () => broker.stop();
  }
  const removeTemplate = await setUpDatabaseTemplate();
  const system = await startTestSystem({ agents: [{ zone: 'zone-a' }, { zone: 'zone-b' }] });
  const [first, second] = system.agents;
  project.provide('bootstrap', first?.bootstrap ?? '');
  project.provide('otherBootstrap', second?.bootstrap ?? '');
  return async () => {
    await system.stop();
    await removeTemplate();
    if (system.deaths.length > 0) {
      throw new Error(`Processes of the shared system died:\n${system.deaths.join('\n')}`);
    }
  };
}
