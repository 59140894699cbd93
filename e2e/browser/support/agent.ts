// An agent of the test's own, with a bucket in a temporary folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { agentBinary } from '../../../infra/local/paths.ts';
import { start } from '../../clients/support/run.ts';

export interface TestAgent {
  /** Answers 200 once the agent serves clients. */
  readyUrl: string;
  /** Where it listens, if that is where it advertises. */
  bootstrap: string;
  stop(): Promise<void>;
}

export interface TestAgentOptions {
  clusterId: string;
  key: string;
  metadataUrl: string;
  /** It has a landing bucket in each. */
  landingZones?: readonly string[];
}

/** Starts an agent that advertises the host. */
export async function startAgentAt(
  host: string,
  { clusterId, key, metadataUrl, landingZones = [] }: TestAgentOptions,
): Promise<TestAgent> {
  const bucket = await mkdtemp(path.join(tmpdir(), 'penstock-agent-'));
  const landing = await Promise.all(
    landingZones.map(async (zone) => ({ zone, folder: await mkdtemp(path.join(tmpdir(), 'penstock-landing-')) })),
  );
  const bootstrap = `127.0.0.1:${await freePort()}`;
  const http = `127.0.0.1:${await freePort()}`;
  const agent = start(agentBinary, ['agent'], {
    env: {
      PENSTOCK_AGENT_KEY: key,
      PENSTOCK_CLUSTER: clusterId,
      PENSTOCK_METADATA_URL: metadataUrl,
      PENSTOCK_BUCKET: `file://${bucket}`,
      PENSTOCK_LISTEN: bootstrap,
      PENSTOCK_ADVERTISED_HOST: host,
      PENSTOCK_HTTP_LISTEN: http,
      ...(landing.length === 0
        ? {}
        : { PENSTOCK_LANDING_BUCKET: landing.map(({ zone, folder }) => `${zone}=file://${folder}`).join(';') }),
    },
  });
  return {
    readyUrl: `http://${http}/readyz`,
    bootstrap,
    async stop() {
      agent.child.kill('SIGKILL');
      await agent.exited;
      await Promise.all(
        [bucket, ...landing.map(({ folder }) => folder)].map((folder) => rm(folder, { recursive: true })),
      );
    },
  };
}
