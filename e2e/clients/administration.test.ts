// Users and ACLs change over Kafka with what the client proved, not on an agent's word.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateCluster } from '@penstock/clusters';
import { createFakeMetadata } from '@penstock/clusters/testing/fake-metadata';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDemoOrganization } from './support/accounts.ts';
import { kafkaTool } from './support/java-tools.ts';
import { updateSecuritySettings } from './support/security-settings.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';

const WITHIN_RUNS = { timeout: 60_000, interval: 100 };

let system: TestSystem;
let folder = '';

beforeAll(async () => {
  system = await startTestSystem({ agents: [{}] });
  folder = await mkdtemp(join(tmpdir(), 'penstock-administration-'));
});
afterAll(async () => {
  await system.stop();
  await rm(folder, { recursive: true });
});

const demo = () => ({ agentKey: system.demo?.agentKey ?? '', clusterId: system.demo?.clusterId ?? '' });

async function addRule(topic: string, properties?: string): Promise<string> {
  const rule = ['--allow-principal', 'User:reader', '--operation', 'Read', '--topic', topic];
  const server = ['--bootstrap-server', system.agents[0]?.bootstrap ?? ''];
  const signIn = properties === undefined ? [] : ['--command-config', properties];
  return kafkaTool('kafka-acls', [...server, ...signIn, '--add', ...rule]);
}

// An agent's key alone is not enough.
test.each(['256', '512'])('Kafka’s tools can administer only after SCRAM-SHA-%s', async (bits) => {
  const metadataUrl = system.metadata[0]?.url ?? '';
  const admin = { user: `admin-${bits}`, password: 'correct-horse' };
  const allow = (allowAgentAdministration: boolean) =>
    inDemoOrganization(system, (scope) =>
      updateCluster(scope, createFakeMetadata(), { clusterId: demo().clusterId, allowAgentAdministration }),
    );
  await allow(true);
  await expect.poll(() => setUsers(metadataUrl, demo(), [admin]).then(() => 'set', String), WITHIN_RUNS).toBe('set');
  await updateSecuritySettings(system, {
    aclMode: 'ACL_MODE_ENFORCED',
    superUsers: ['User:ANONYMOUS', `User:${admin.user}`],
    authentication: 'AUTHENTICATION_REQUIREMENT_NEVER',
  });
  await allow(false);
  const byKey = () => setUsers(metadataUrl, demo(), [{ user: 'thief', password: 'x' }]).then(() => 'set', String);
  await expect.poll(byKey, WITHIN_RUNS).toContain('only after they signed in with SCRAM');
  await expect(addRule(`orders-${bits}`)).rejects.toThrow(/signed in with SCRAM|authorization/i);

  const properties = join(folder, `client-${bits}.properties`);
  await writeFile(
    properties,
    [
      'security.protocol=SASL_PLAINTEXT',
      `sasl.mechanism=SCRAM-SHA-${bits}`,
      `sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="${admin.user}" password="${admin.password}";`,
    ].join('\n'),
  );
  await expect.poll(() => addRule(`orders-${bits}`, properties).then(() => 'added', String), WITHIN_RUNS).toBe('added');
});
