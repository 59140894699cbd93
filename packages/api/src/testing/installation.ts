// A whole API with its own database and a metadata service that the test plays.

import { createLiveState, type MetadataAdmin } from '@penstock/clusters';
import { createPrismaClient, createReads, type Database, type Reads } from '@penstock/database/client';
import { createTestDatabase } from '@penstock/database/testing';
import type { AuthSession } from '@penstock/identity';
import { createLogger, newId } from '@penstock/platform';
import { type ClusterRoles, createOpenStreams, type Role } from '@penstock/tenancy';
import { testSecretBox } from '@penstock/tenancy/testing';
import { HOUR_MS } from '@penstock/units';
import { afterAll, beforeAll } from 'vitest';
import { createCaller } from '../app-router.ts';
import type { Backend } from '../backend.ts';

/** Answers every call with an empty view or result. */
export const quietMetadata: MetadataAdmin = {
  getClusterView: async (clusterId) => emptyView(clusterId),
  async *watchClusterView(clusterId) {
    yield emptyView(clusterId);
  },
  listTopics: async () => [],
  findTopic: async () => undefined,
  listGroups: async () => ({ groups: [], atMs: 0 }),
  findGroup: async () => ({ groups: [], atMs: 0 }),
  createTopics: async () => [{ ...emptyResult }],
  deleteTopics: async () => [{ ...emptyResult }],
  alterConfigs: async () => [{ ...emptyResult }],
  commitOffsets: async () => ({
    $typeName: 'penstock.metadata.v1.CommitOffsetsResponse' as const,
    errorCode: 0,
    offsetErrorCodes: [],
  }),
  deleteGroups: async () => [0],
  offsetsAtTime: async () => [],
  listTransactions: async () => ({ transactions: [], topicNames: new Map() }),
  findTransaction: async () => ({ transactions: [], topicNames: new Map() }),
  listAgents: async () => [],
  listUsers: async () => security.credentials,
  listAcls: async () => security.acls,
  listQuotas: async () => security.quotas,
  abortTransaction: async () => 0,
  describeSecurity: async () => security,
  alterUsers: async () => [{ $typeName: 'penstock.metadata.v1.UserScramResult', user: 'alice', ...accepted }],
  createAcls: async (_clusterId, _actor, bindings) => bindings.map(() => acceptedAcl),
  deleteAcls: async () => [{ $typeName: 'penstock.metadata.v1.DeletedAcls', ...accepted, deleted: [] }],
  alterQuota: async () => acceptedAcl,
  updateSecuritySettings: async () => security,
  close: () => undefined,
};

/** One user, and nothing else. */
const security: Awaited<ReturnType<MetadataAdmin['describeSecurity']>> = {
  $typeName: 'penstock.metadata.v1.SecurityState',
  version: 1n,
  credentials: [
    {
      $typeName: 'penstock.metadata.v1.ScramCredential',
      user: 'alice',
      mechanism: 1,
      salt: new Uint8Array(1),
      storedKey: new Uint8Array(32),
      serverKey: new Uint8Array(32),
      iterations: 4_096,
      createdAtMs: 0n,
      expiresAtMs: 0n,
    },
  ],
  acls: [],
  quotas: [],
};

const accepted = { errorCode: 0, errorMessage: '' };
const acceptedAcl = { $typeName: 'penstock.metadata.v1.AclResult' as const, ...accepted };

const emptyResult = {
  $typeName: 'penstock.metadata.v1.TopicResult' as const,
  name: '',
  topicId: new Uint8Array(16),
  errorCode: 0,
  errorMessage: '',
};

export function emptyView(clusterId: string, journalSeq = 1n): Awaited<ReturnType<MetadataAdmin['getClusterView']>> {
  return {
    $typeName: 'penstock.metadata.v1.ClusterView',
    clusterId,
    atMs: 0n,
    agents: [],
    topics: [],
    groups: [],
    throughput: [],
    uncompressedBytesTotal: 0n,
    journalSeq,
    memoryAccounts: [
      { $typeName: 'penstock.metadata.v1.MemoryAccount', name: 'groups', heldBytes: 1_000n, limitBytes: 268_435_456n },
    ],
  };
}

/** The clients of a web process, bound by row security as in production. */
type Served = Pick<Backend, 'database' | 'accounts' | 'payments'>;

export interface Installation {
  /** Reads and writes everything, for what a test prepares and inspects. */
  readonly database: Database;
  readonly databaseUrl: string;
  readonly reads: Reads;
  backend(changes?: Partial<Backend>): Backend;
  newOrganization(): Promise<string>;
  /** A user with a session, and a member of the organization if one is given. */
  newPerson(member?: { organizationId: string; role: Role; clusterRoles?: ClusterRoles }): Promise<AuthSession>;
  /** The API as a page uses it that shows the organization; by default the one that is active in the session. */
  caller(
    session: AuthSession | null,
    backend?: Backend,
    organizationId?: string | null,
  ): ReturnType<typeof createCaller>;
}

/** Sets up an installation for the tests of one file. Call it at the top of the file. */
export function setUpInstallation(): Installation {
  let opened: { database: Database; reads: Reads; url: string; served: Served; drop: () => Promise<void> } | undefined;
  beforeAll(async () => {
    const { url, ownerUrl, drop } = await createTestDatabase({ isFlushed: false });
    opened = {
      database: createPrismaClient(url),
      reads: createReads(ownerUrl, { access: 'accounts' }),
      url,
      served: {
        database: createPrismaClient(ownerUrl),
        accounts: createPrismaClient(ownerUrl, 10, 'accounts'),
        payments: createPrismaClient(ownerUrl, 3, 'payments'),
      },
      drop,
    };
  });
  afterAll(async () => {
    await opened?.reads.close();
    for (const client of opened === undefined ? [] : [opened.database, ...Object.values(opened.served)]) {
      await client.$disconnect();
    }
    await opened?.drop();
  });
  const served = (): Served => {
    if (opened === undefined) {
      throw new Error('The database is open within tests alone.');
    }
    return opened.served;
  };

  const installation: Installation = {
    get database() {
      if (opened === undefined) {
        throw new Error('The database is open within tests alone.');
      }
      return opened.database;
    },
    get reads() {
      if (opened === undefined) {
        throw new Error('The database is open within tests alone.');
      }
      return opened.reads;
    },
    get databaseUrl() {
      if (opened === undefined) {
        throw new Error('The database is open within tests alone.');
      }
      return opened.url;
    },
    backend: (changes = {}) => ({
      ...served(),
      reads: installation.reads,
      auth: {
        handle: async () => new Response(),
        getSession: async () => null,
      },
      metadata: quietMetadata,
      live: createLiveState(
        {
          metadata: changes.metadata ?? quietMetadata,
          database: served().database,
          notifications: { listen: () => () => undefined, close: async () => undefined },
          logger: createLogger({ name: 'test', level: 'silent' }),
        },
        { lingerMs: 0 },
      ),
      secretBox: testSecretBox,
      browseTokens: { sign: () => 'signed' },
      stripe: undefined,
      accessChanges: { watch: () => () => undefined },
      openStreams: createOpenStreams(),
      logger: createLogger({ name: 'test', level: 'silent' }),
      invoiceSettings: {
        seller: { name: 'Penstock', address: [], email: null, taxId: null },
        transferDetails: [],
        isStripeConfigured: false,
        webUrl: 'http://localhost:3000',
      },
      webUrl: 'http://localhost:3000',
      trustedProxies: [],
      agentMetadataUrl: 'http://localhost:7070',
      apiRequestsPerMinute: 1_000_000,
      isEmbedded: true,
      outbound: { isLoopbackAllowed: true, allowedPorts: [443] },
      securityContact: undefined,
      close: async () => undefined,
      ...changes,
    }),
    async newOrganization() {
      const id = newId();
      await installation.database.organization.create({ data: { id, name: 'Acme', slug: id } });
      return id;
    },
    async newPerson(member) {
      const id = newId();
      const email = `${id}@example.com`;
      await installation.database.user.create({ data: { id, email, name: 'Test', emailVerified: true } });
      const sessionId = newId();
      const expiresAt = new Date(Date.now() + HOUR_MS);
      await installation.database.session.create({ data: { id: sessionId, token: newId(), userId: id, expiresAt } });
      if (member !== undefined) {
        await installation.database.member.create({ data: { id: newId(), userId: id, ...member } });
      }
      const activeOrganizationId = member?.organizationId ?? null;
      const user = { id, email, name: 'Test' };
      return { sessionId, activeOrganizationId, ssoOrganizationId: null, confirmedAt: new Date(), user };
    },
    caller: (session, backend = installation.backend(), organizationId = session?.activeOrganizationId ?? null) =>
      createCaller({ backend, session, organizationId, api: null, now: new Date(), address: '198.51.100.7' }),
  };
  return installation;
}
