// The benchmark's own metadata process, and a cluster with its key.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generateAgentKey, newId } from '@penstock/platform';
import type { Pool } from 'pg';

const main = fileURLToPath(import.meta.resolve('@penstock/metadata/main'));

export interface BenchCluster {
  clusterId: string;
  key: string;
}

export async function createCluster(pool: Pool): Promise<BenchCluster> {
  const clusterId = randomUUID();
  const { plaintext, hash, display } = generateAgentKey();
  await pool.query(
    `INSERT INTO organization (id, name, slug) VALUES ('bench', 'Bench', 'bench') ON CONFLICT DO NOTHING`,
  );
  // A customer: organizations without a payment method have small budgets.
  await pool.query(
    `INSERT INTO billing_account (organization_id, stripe_payment_method_id, updated_at) VALUES ('bench', 'pm_bench', now())
     ON CONFLICT DO NOTHING`,
  );
  await pool.query(
    `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, 'bench', $2, 'other', '', now())`,
    [clusterId, `bench ${clusterId}`],
  );
  await pool.query(
    `INSERT INTO agent_key (id, cluster_id, organization_id, name, display_prefix, display_last4, hash)
     VALUES ($1, $2, 'bench', 'bench', $3, $4, $5)`,
    [newId(), clusterId, display.prefix, display.last4, Buffer.from(hash)],
  );
  return { clusterId, key: plaintext };
}

export interface Service {
  rpcUrl: string;
  pid: number;
  stop: () => Promise<void>;
}

/** @param env settings beyond those that it needs */
export async function startService(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      PENSTOCK_METADATA_HOST: '127.0.0.1',
      PENSTOCK_METADATA_PORT: '0',
      PENSTOCK_METADATA_HTTP_PORT: '0',
      PENSTOCK_METADATA_ADMIN_LISTEN: '127.0.0.1:0',
      PENSTOCK_ADMIN_KEYS: `1:${randomUUID()}`,
      PENSTOCK_BROWSE_KEYS: `1:${randomUUID()}`,
      PENSTOCK_PEER_KEYS: `1:${randomUUID()}`,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const { rpcUrl }: { rpcUrl?: string } = JSON.parse(line);
    if (rpcUrl === undefined) {
      continue;
    }
    child.stdout.resume();
    return { rpcUrl, pid: child.pid ?? -1, stop };
  }
  throw new Error('the metadata service ended while starting');
}
