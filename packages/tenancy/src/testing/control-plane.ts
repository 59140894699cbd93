// A database for one test file, with users and organizations. Each domain adds its own rows.
import { createPrismaClient, createReads, type Database, type Reads } from '@penstock/database/client';
import { createTestDatabase } from '@penstock/database/testing';
import { AppError, createSecretBox, newId } from '@penstock/platform';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '../access/permissions.ts';
import { type Actor, inTenant, inTransaction, type ReadScope, readInTenant, type Scope } from '../access/scope.ts';
import { recordAudit } from '../audit/record-audit.ts';

declare module '../audit/audit-actions.ts' {
  /** Actions that tests of this package write. The domains declare the real ones. */
  interface AuditActions {
    'agent-key.create': true;
    'cluster.create': true;
    'cluster.delete': true;
    'cluster.rename': true;
    'organization.create': true;
    'topic.create': true;
  }
}

export const testSecretBox = createSecretBox([{ id: 1, secret: 'a root secret of the tests, of 32 characters' }]);

export interface TestOrganization {
  organizationId: string;
  userId: string;
  /** Runs a use-case in its own transaction, as this tenant's owner. */
  run<T>(work: (scope: Scope) => Promise<T>, now?: Date): Promise<T>;
  /** Runs a use-case that only reads a little. */
  read<T>(work: (scope: ReadScope) => Promise<T>): Promise<T>;
}

export interface ControlPlane {
  readonly database: Database;
  /** URL of a superuser, to whom row security never applies, like the client above. */
  readonly databaseUrl: string;
  /** URL of the tables' owner, who has to declare an access. */
  readonly ownerUrl: string;
  readonly reads: Reads;
  /** As background jobs use it: bound by row security, with the access `worker`. */
  readonly worker: Database;
  newUser(): Promise<{ id: string; email: string }>;
  /** Created at this time; now by default. */
  newTenant(madeAt?: Date): Promise<TestOrganization>;
  /** Creates a user with a role in the tenant's organization, and returns a way to act as that user. */
  newMember(tenant: TestOrganization, role: Role): Promise<TestOrganization & { email: string }>;
  /** The audit rows of a tenant, oldest first, as action and target. */
  auditOf(tenant: TestOrganization): Promise<{ action: string; targetId: string; before: unknown; after: unknown }[]>;
}

export interface ControlPlaneOptions {
  /** Called when an organization is created, in the same transaction, so that domains can add to it. */
  onNewTenant?: (scope: Pick<Scope, 'tx' | 'organizationId' | 'now'>) => Promise<unknown>;
}

/** Sets up a database for the tests of one file. Call it at the top of the file. */
export function setUpControlPlane({ onNewTenant }: ControlPlaneOptions = {}): ControlPlane {
  let opened:
    | (Pick<ControlPlane, 'database' | 'worker' | 'reads' | 'ownerUrl'> & { url: string; drop: () => Promise<void> })
    | undefined;

  beforeAll(async () => {
    const { url, ownerUrl, drop } = await createTestDatabase({ isFlushed: false });
    const reads = createReads(ownerUrl, { access: 'accounts' });
    opened = {
      database: createPrismaClient(url),
      worker: createPrismaClient(ownerUrl, 10, 'worker'),
      reads,
      url,
      ownerUrl,
      drop,
    };
  });
  afterAll(async () => {
    await opened?.reads.close();
    await opened?.database.$disconnect();
    await opened?.worker.$disconnect();
    await opened?.drop();
  });

  function current(): NonNullable<typeof opened> {
    if (opened === undefined) {
      throw new Error('The database is open within tests alone.');
    }
    return opened;
  }

  const readScopeOf = (organizationId: string): ReadScope => ({
    organizationId,
    now: new Date(),
    read: (statement, values) => readInTenant(current().reads, organizationId, statement, values),
  });

  const plane: ControlPlane = {
    get database() {
      return current().database;
    },
    get worker() {
      return current().worker;
    },
    get reads() {
      return current().reads;
    },
    get databaseUrl() {
      return current().url;
    },
    get ownerUrl() {
      return current().ownerUrl;
    },
    async newUser() {
      const id = newId();
      const email = `${id}@example.com`;
      await plane.database.user.create({ data: { id, email, name: 'Test', emailVerified: true } });
      return { id, email };
    },
    async newTenant(madeAt = new Date()) {
      const user = await plane.newUser();
      const actor: Actor = { type: 'user', id: user.id, label: user.email, source: 'web' };
      const organizationId = newId(madeAt.getTime());
      const facts = { name: 'Acme', slug: `acme-${organizationId}` };
      await inTransaction(plane.database, async (tx) => {
        const scope: Scope = { tx, organizationId, actor, now: madeAt };
        await tx.organization.create({ data: { id: organizationId, ...facts, createdAt: madeAt } });
        await tx.member.create({
          data: { id: newId(madeAt.getTime()), organizationId, userId: user.id, role: 'owner', createdAt: madeAt },
        });
        await onNewTenant?.(scope);
        await recordAudit(scope, {
          action: 'organization.create',
          targetType: 'organization',
          targetId: organizationId,
          after: facts,
        });
      });
      return {
        organizationId,
        userId: user.id,
        run: (work, now = new Date()) =>
          inTenant(plane.database, organizationId, (tx) => work({ tx, organizationId, actor, now })),
        read: (work) => work(readScopeOf(organizationId)),
      };
    },
    async newMember({ organizationId }, role) {
      const user = await plane.newUser();
      await plane.database.member.create({ data: { id: newId(), organizationId, userId: user.id, role } });
      const actor: Actor = { type: 'user', id: user.id, label: user.email, source: 'web' };
      return {
        organizationId,
        userId: user.id,
        email: user.email,
        run: (work, now = new Date()) =>
          inTenant(plane.database, organizationId, (tx) => work({ tx, organizationId, actor, now })),
        read: (work) => work(readScopeOf(organizationId)),
      };
    },
    auditOf: (tenant) =>
      plane.database.auditLog.findMany({
        where: { organizationId: tenant.organizationId },
        orderBy: [{ at: 'asc' }, { id: 'asc' }],
        select: { action: true, targetId: true, before: true, after: true },
      }),
  };
  return plane;
}

/** The code of the AppError that a promise rejects with. Fails on any other result. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AppError) {
      return error.code;
    }
    throw error;
  }
  throw new Error('It was not refused.');
}
