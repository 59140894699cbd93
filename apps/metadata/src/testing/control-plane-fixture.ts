// The control plane's records of virtual clusters in a database of the test's own: organizations, clusters, agent keys.
import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@penstock/database/testing';
import { generateAgentKey, newId, type RootSecrets } from '@penstock/platform';
import type { AgentKeyScope } from '@penstock/platform/agent-key-scope';
import { Pool } from 'pg';

export const ADMIN_KEYS: RootSecrets = [{ id: 1, secret: 'the admin key of the tests with 32 characters' }];
export const BROWSE_KEYS: RootSecrets = [{ id: 1, secret: 'the browse key of the tests with 32 characters' }];
export const PEER_KEYS: RootSecrets = [{ id: 1, secret: 'the peer key of the tests with 32 characters' }];
export const KEY_VARIABLES = {
  PENSTOCK_ADMIN_KEYS: textOf(ADMIN_KEYS),
  PENSTOCK_BROWSE_KEYS: textOf(BROWSE_KEYS),
  PENSTOCK_PEER_KEYS: textOf(PEER_KEYS),
};

function textOf(secrets: RootSecrets): string {
  return secrets.map(({ id, secret }) => `${id}:${secret}`).join(',');
}

export interface ClusterWithKey {
  clusterId: string;
  key: string;
  keyId: string;
}

export class ControlPlaneFixture {
  readonly database: TestDatabase;
  readonly pool: Pool;

  private constructor(database: TestDatabase) {
    this.database = database;
    this.pool = new Pool({ connectionString: database.url, max: 2 });
    // Dropping the database breaks connections that are still closing.
    this.pool.on('error', () => undefined);
  }

  static async create(): Promise<ControlPlaneFixture> {
    const fixture = new ControlPlaneFixture(await createTestDatabase());
    await fixture.pool.query(
      `INSERT INTO organization (id, name, slug, created_at) VALUES ('org', 'Org', 'org', now())`,
    );
    return fixture;
  }

  /** @param organizationId is created if need be */
  async createCluster(organizationId = 'org'): Promise<ClusterWithKey> {
    const clusterId = randomUUID();
    await this.pool.query(
      'INSERT INTO organization (id, name, slug, created_at) VALUES ($1, $1, $1, now()) ON CONFLICT DO NOTHING',
      [organizationId],
    );
    await this.pool.query(
      `INSERT INTO virtual_cluster (id, organization_id, name, cloud, region, updated_at) VALUES ($1, $2, $3, 'aws', 'eu', now())`,
      [clusterId, organizationId, clusterId],
    );
    return { clusterId, ...(await this.createKey(clusterId, organizationId)) };
  }

  async createKey(
    clusterId: string,
    organizationId = 'org',
    scope: AgentKeyScope = 'agent',
  ): Promise<{ key: string; keyId: string }> {
    const { plaintext, hash, display } = generateAgentKey();
    const keyId = newId();
    await this.pool.query(
      `INSERT INTO agent_key (id, cluster_id, organization_id, name, display_prefix, display_last4, hash, scope)
       VALUES ($1, $2, $3, 'key', $4, $5, $6, $7)`,
      [keyId, clusterId, organizationId, display.prefix, display.last4, Buffer.from(hash), scope],
    );
    return { key: plaintext, keyId };
  }

  async drop(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
  }
}
