// The ready-made organization of the embedded mode: one person, one virtual cluster, one agent key. Its secrets are random
// in every data folder and exist in embedded mode alone; the caller keeps them in a file that only its owner reads.
import { assertMayCreateCluster } from '@penstock/billing';
import { createAgentKey, createCluster, revokeAgentKey } from '@penstock/clusters';
import { createPrismaClient, type Database } from '@penstock/database';
import { hashPassword, verifyPassword } from '@penstock/identity';
import { createOrganization } from '@penstock/lifecycle';
import { newId, parseAgentKey, randomBase62 } from '@penstock/platform';
import { type Actor, inTransaction, type Scope } from '@penstock/tenancy';

export interface DemoCredentials {
  email: string;
  password: string;
  organizationId: string;
  clusterId: string;
  agentKey: string;
}

const DEMO_EMAIL = 'demo@penstock.local';
const DEMO_KEY_NAME = 'Local agent';
const actor: Actor = { type: 'system', id: null, label: 'Demo set-up', source: 'seed' };

/**
 * Makes what is missing of the demo and changes nothing that is there.
 * @param existing the secrets that an earlier call returned; those that still open something are kept, others replaced
 */
export async function seedDemo(
  databaseUrl: string,
  existing?: Pick<DemoCredentials, 'password' | 'agentKey'>,
): Promise<DemoCredentials> {
  const database = createPrismaClient(databaseUrl, 1, 'operator');
  try {
    return await seed(database, existing);
  } finally {
    await database.$disconnect();
  }
}

async function seed(
  database: Database,
  existing: Pick<DemoCredentials, 'password' | 'agentKey'> | undefined,
): Promise<DemoCredentials> {
  return inTransaction(database, async (tx) => {
    const context = { tx, actor, now: new Date() };
    const userId = await ensureUser(context);
    const password = await ensurePassword(context, userId, existing?.password);
    const organizationId = await ensureOrganization(context, userId);
    const scope: Scope = { ...context, organizationId };
    const clusterId = await ensureCluster(scope);
    const agentKey = await ensureAgentKey(scope, clusterId, existing?.agentKey);
    return { email: DEMO_EMAIL, password, organizationId, clusterId, agentKey };
  });
}

type SeedContext = Omit<Scope, 'organizationId'>;

async function ensureUser({ tx, now }: SeedContext): Promise<string> {
  const user = await tx.user.upsert({
    where: { email: DEMO_EMAIL },
    create: { id: newId(), name: 'Demo', email: DEMO_EMAIL, emailVerified: true, createdAt: now, updatedAt: now },
    update: {},
    select: { id: true },
  });
  return user.id;
}

async function ensurePassword({ tx, now }: SeedContext, userId: string, known: string | undefined): Promise<string> {
  const account = await tx.account.findFirst({ where: { userId, providerId: 'credential' } });
  if (account?.password != null && known !== undefined) {
    if (await verifyPassword({ hash: account.password, password: known })) {
      return known;
    }
  }
  const password = randomBase62(20);
  const hash = await hashPassword(password);
  if (account === null) {
    await tx.account.create({
      data: {
        id: newId(),
        userId,
        accountId: userId,
        providerId: 'credential',
        password: hash,
        createdAt: now,
        updatedAt: now,
      },
    });
  } else {
    await tx.account.update({ where: { id: account.id }, data: { password: hash, updatedAt: now } });
  }
  return password;
}

async function ensureOrganization(context: SeedContext, userId: string): Promise<string> {
  const member = await context.tx.member.findFirst({ where: { userId }, orderBy: { createdAt: 'asc' } });
  if (member !== null) {
    return member.organizationId;
  }
  return (await createOrganization(context, { name: 'Demo', ownerId: userId })).id;
}

async function ensureCluster(scope: Scope): Promise<string> {
  // The oldest living cluster, whatever it was renamed to; a new one when the person has deleted it.
  const cluster = await scope.tx.virtualCluster.findFirst({
    where: { organizationId: scope.organizationId, deletedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true },
  });
  if (cluster !== null) {
    return cluster.id;
  }
  const settings = {
    name: 'demo',
    cloud: 'other',
    region: 'local',
    mode: 'standard' as const,
    autoCreateTopics: true,
    defaultPartitions: 12,
    deletionProtection: false,
  };
  const { id } = await createCluster(scope, settings, assertMayCreateCluster);
  // Kafka's tools administer the demo without signing in: it has no users at first, and its agent listens on this machine.
  await scope.tx.virtualCluster.update({
    where: { id, organizationId: scope.organizationId },
    data: { allowAgentAdministration: true },
  });
  return id;
}

async function ensureAgentKey(scope: Scope, clusterId: string, known: string | undefined): Promise<string> {
  const parsed = known === undefined ? undefined : parseAgentKey(known);
  if (known !== undefined && parsed?.ok === true) {
    const row = await scope.tx.agentKey.findUnique({ where: { hash: parsed.hash } });
    if (row !== null && row.clusterId === clusterId && row.revokedAt === null) {
      return known;
    }
  }
  // A key whose secret is lost opens nothing for its owner any more: it goes, and a new one takes its place.
  const lost = await scope.tx.agentKey.findMany({
    where: { clusterId, name: DEMO_KEY_NAME, createdBy: null, revokedAt: null },
    select: { id: true },
  });
  for (const { id } of lost) {
    await revokeAgentKey(scope, { agentKeyId: id });
  }
  return (await createAgentKey(scope, { clusterId, name: DEMO_KEY_NAME })).plaintext;
}
