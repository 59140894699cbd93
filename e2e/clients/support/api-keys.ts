// API keys for tests, created as an owner of the demo organization creates them.
import { createPrismaClient } from '@penstock/database';
import { createApiKey } from '@penstock/identity';
import { inTenant } from '@penstock/tenancy';
import type { RunningSystem } from '../../../infra/local/system.ts';

export interface TestApiKey {
  name: string;
  role?: 'owner' | 'admin' | 'operator' | 'billing' | 'viewer' | 'none';
  isReadOnly?: boolean;
  lifetimeDays?: number;
}

/** The secret of a new key of the demo organization; with the owner role by default. */
export async function createDemoApiKey(system: RunningSystem, key: TestApiKey): Promise<string> {
  const database = createPrismaClient(system.databaseUrl, 1);
  try {
    const organizationId = system.demo?.organizationId ?? '';
    const { user } = await database.member.findFirstOrThrow({
      where: { organizationId, role: 'owner' },
      select: { user: { select: { id: true, email: true } } },
    });
    const actor = { type: 'user', id: user.id, label: user.email, source: 'seed' } as const;
    const { plaintext } = await inTenant(database, organizationId, (tx) =>
      createApiKey(
        { tx, organizationId, actor, now: new Date() },
        { role: 'owner', isReadOnly: false, ...key, lifetimeDays: key.lifetimeDays ?? null },
      ),
    );
    return plaintext;
  } finally {
    await database.$disconnect();
  }
}
