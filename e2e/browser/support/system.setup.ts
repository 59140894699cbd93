// Starts the system that all browser tests share, unless they use a running one.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageBrowserOnLoopback } from '../../../infra/local/system.ts';
import { startTestSystem } from '../../clients/support/system.ts';

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['PENSTOCK_E2E_STARTED'] !== undefined) {
    return undefined;
  }
  const system = await startTestSystem({
    hasWeb: true,
    hasWorker: true,
    agents: [{ zone: 'local-a', env: messageBrowserOnLoopback }],
  });
  const file = path.join(system.home, 'started.json');
  const started = {
    webUrl: system.webUrl,
    metadataUrl: system.metadata[0]?.url,
    kafkaBootstrap: system.agents[0]?.bootstrap,
    demo: system.demo,
  };
  await writeFile(file, JSON.stringify(started), { mode: 0o600 });
  // The workers inherit this variable.
  process.env['PENSTOCK_E2E_STARTED'] = file;
  return async () => {
    await system.stop();
    if (system.deaths.length > 0) {
      throw new Error(`Processes of the system under test died:\n${system.deaths.join('\n')}`);
    }
  };
}
