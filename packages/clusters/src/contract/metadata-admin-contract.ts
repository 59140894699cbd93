// The contract of MetadataAdmin: what use-cases rely on. It runs on the fake here, and on a real metadata service in e2e/contracts.
import { randomUUID } from 'node:crypto';
import { create } from '@bufbuild/protobuf';
import {
  AclBindingSchema,
  AclFilterSchema,
  aclKey,
  quotaKey,
  ScramCredentialSchema,
  SecuritySettingsSchema,
} from '@penstock/metadata-protocol';
import { describe, expect, test } from 'vitest';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

export interface MetadataAdminHarness {
  /** A client, and a cluster of its own without topics. */
  cluster(): Promise<{ admin: MetadataAdmin; clusterId: string }>;
}

const newTopic = (name: string, partitions = 2) => ({ name, partitions, configs: [] });

export function describeMetadataAdmin(name: string, harness: MetadataAdminHarness): void {
  describe(`${name}: topics`, () => {
    test('are in the view from their creation to their deletion', async () => {
      const { admin, clusterId } = await harness.cluster();
      const names = async () => (await admin.getClusterView(clusterId)).topics.map(({ topic }) => topic?.name);
      expect(await names()).toEqual([]);
      const [made] = await admin.createTopics(clusterId, [newTopic('orders')]);
      expect(made).toMatchObject({ name: 'orders', errorCode: 0, topic: { name: 'orders', partitions: 2 } });
      expect(await names()).toEqual(['orders']);
      expect(await admin.deleteTopics(clusterId, ['orders'])).toMatchObject([{ name: 'orders', errorCode: 0 }]);
      expect(await names()).toEqual([]);
    });

    test('are listed by name, in pages that go on after a deleted topic', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(
        clusterId,
        ['d', 'b', 'a', 'C'].map((name) => newTopic(name)),
      );
      const pageOf = async (after: string | undefined, limit: number) =>
        (await admin.listTopics(clusterId, { after, limit })).map(({ topic }) => topic?.name);
      expect(await pageOf(undefined, 1_000)).toEqual(['C', 'a', 'b', 'd']);
      expect(await pageOf(undefined, 2)).toEqual(['C', 'a']);
      await admin.deleteTopics(clusterId, ['a']);
      expect(await pageOf('a', 2)).toEqual(['b', 'd']);
      expect(await pageOf('d', 2)).toEqual([]);
    });

    test('are found by name', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(clusterId, [newTopic('orders'), newTopic('payments')]);
      expect((await admin.findTopic(clusterId, 'payments'))?.topic?.name).toBe('payments');
      expect(await admin.findTopic(clusterId, 'other')).toBe(undefined);
    });

    test('have the cluster’s default of partitions if asked to', async () => {
      const { admin, clusterId } = await harness.cluster();
      const [made] = await admin.createTopics(clusterId, [newTopic('orders', -1)]);
      expect(made?.topic?.partitions).toBeGreaterThan(0);
    });

    test('exist once, and not before they are created', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(clusterId, [newTopic('orders')]);
      expect(await admin.createTopics(clusterId, [newTopic('orders')])).toMatchObject([{ errorCode: 36 }]);
      expect(await admin.deleteTopics(clusterId, ['other'])).toMatchObject([{ name: 'other', errorCode: 3 }]);
      expect(await admin.alterConfigs(clusterId, 'other', [{ name: 'retention.ms', value: '1000' }])).toMatchObject([
        { name: 'other', errorCode: 3 },
      ]);
    });

    test('take configs', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(clusterId, [newTopic('orders')]);
      for (const value of ['1000', null]) {
        expect(await admin.alterConfigs(clusterId, 'orders', [{ name: 'retention.ms', value }])).toMatchObject([
          { name: 'orders', errorCode: 0 },
        ]);
      }
    });

    test('answer for every partition that was asked for', async () => {
      const { admin, clusterId } = await harness.cluster();
      const [made] = await admin.createTopics(clusterId, [newTopic('orders')]);
      const topicId = made?.topic?.topicId ?? new Uint8Array(16);
      const answers = await admin.offsetsAtTime(clusterId, topicId, 2, 2_000_000_000_000);
      expect(answers.map(({ offset }) => offset)).toEqual([-1n, -1n]);
    });
  });

  describe(`${name}: groups and transactions`, () => {
    test('a group that does not exist is not deleted', async () => {
      const { admin, clusterId } = await harness.cluster();
      expect(await admin.deleteGroups(clusterId, ['nobody'])).toEqual([69]);
    });

    test('a group without members takes offsets, and is deleted with them', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(clusterId, [newTopic('orders')]);
      const set = [{ topic: 'orders', partition: 0, offset: 0 }];
      expect((await admin.commitOffsets(clusterId, 'readers', set)).errorCode).toBe(0);
      const groupsOf = async () => (await admin.getClusterView(clusterId)).groups.map(({ group }) => group?.groupId);
      expect(await groupsOf()).toEqual(['readers']);
      expect(await admin.deleteGroups(clusterId, ['readers'])).toEqual([0]);
      expect(await groupsOf()).toEqual([]);
    });

    test('groups are listed by id, in pages that go on after a deleted group', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createTopics(clusterId, [newTopic('orders')]);
      for (const groupId of ['d', 'b', '', 'a', 'C']) {
        await admin.commitOffsets(clusterId, groupId, [{ topic: 'orders', partition: 0, offset: 0 }]);
      }
      const idsOf = ({ groups }: Awaited<ReturnType<MetadataAdmin['findGroup']>>) =>
        groups.map(({ group }) => group?.groupId);
      const pageOf = async (after: string | undefined, limit: number) =>
        idsOf(await admin.listGroups(clusterId, { after, limit }));
      expect(await pageOf(undefined, 1_000)).toEqual(['', 'C', 'a', 'b', 'd']);
      expect(await pageOf('', 1)).toEqual(['C']);
      await admin.deleteGroups(clusterId, ['a']);
      expect(await pageOf('a', 1)).toEqual(['b']);
      expect(idsOf(await admin.findGroup(clusterId, 'd'))).toEqual(['d']);
      expect(idsOf(await admin.findGroup(clusterId, 'a'))).toEqual([]);
    });

    test('a transaction that does not exist is not aborted', async () => {
      const { admin, clusterId } = await harness.cluster();
      const page = { after: undefined, afterStartedAtMs: null, states: [], limit: 10 };
      expect((await admin.listTransactions(clusterId, page)).transactions).toEqual([]);
      expect((await admin.findTransaction(clusterId, 'nobody')).transactions).toEqual([]);
      expect(await admin.abortTransaction(clusterId, 'somebody', 'nobody')).toBe(105);
    });
  });

  describe(`${name}: access control`, () => {
    const acl = create(AclBindingSchema, {
      principal: 'User:reader',
      host: '*',
      resourceType: 2,
      resourceName: 'orders',
      patternType: 3,
      operation: 3,
      permissionType: 3,
    });

    test('each change raises the version', async () => {
      const { admin, clusterId } = await harness.cluster();
      const before = await admin.describeSecurity(clusterId);
      expect(await admin.createAcls(clusterId, 'somebody', [acl])).toMatchObject([{ errorCode: 0 }]);
      const after = await admin.describeSecurity(clusterId);
      expect(after.version).toBeGreaterThan(before.version);
      expect(after.acls).toMatchObject([{ principal: 'User:reader', resourceName: 'orders' }]);
    });

    test('ACLs are deleted by their principal', async () => {
      const { admin, clusterId } = await harness.cluster();
      await admin.createAcls(clusterId, 'somebody', [acl, { ...acl, principal: 'User:other' }]);
      const filter = create(AclFilterSchema, {
        principal: 'User:other',
        resourceType: 1,
        patternType: 1,
        operation: 1,
        permissionType: 1,
      });
      const [deleted] = await admin.deleteAcls(clusterId, 'somebody', [filter]);
      expect(deleted?.deleted).toMatchObject([{ principal: 'User:other' }]);
      expect((await admin.describeSecurity(clusterId)).acls).toMatchObject([{ principal: 'User:reader' }]);
    });

    test('a user has one credential of each mechanism until it is deleted', async () => {
      const { admin, clusterId } = await harness.cluster();
      const credential = create(ScramCredentialSchema, {
        user: 'reader',
        mechanism: 1,
        iterations: 4_096,
        salt: new Uint8Array(32).fill(1),
        storedKey: new Uint8Array(32).fill(2),
        serverKey: new Uint8Array(32).fill(3),
      });
      const users = async () => (await admin.describeSecurity(clusterId)).credentials.map(({ user }) => user);
      for (const _ of [1, 2]) {
        const upserted = await admin.alterUsers(clusterId, 'somebody', { upserts: [credential], deletions: [] });
        expect(upserted).toMatchObject([{ user: 'reader', errorCode: 0 }]);
        expect(await users()).toEqual(['reader']);
      }
      const deletions = [{ $typeName: 'penstock.metadata.v1.ScramDeletion' as const, user: 'reader', mechanism: 1 }];
      await admin.alterUsers(clusterId, 'somebody', { upserts: [], deletions });
      expect(await users()).toEqual([]);
    });

    test('a quota stays until it is removed', async () => {
      const { admin, clusterId } = await harness.cluster();
      const quotas = async () =>
        (await admin.describeSecurity(clusterId)).quotas.map(({ producerByteRate }) => producerByteRate);
      for (const [value, expected] of [
        [1_000_000, [1_000_000]],
        [null, []],
      ] as const) {
        const ops = [{ key: 'producer_byte_rate', value }];
        const result = await admin.alterQuota(clusterId, 'somebody', { user: 'reader', clientId: undefined, ops });
        expect(result?.errorCode).toBe(0);
        expect(await quotas()).toEqual(expected);
      }
    });

    test('users, ACLs and quotas are listed in pages', async () => {
      const { admin, clusterId } = await harness.cluster();
      const users = ['carol', 'alice', 'bob'];
      for (const user of users) {
        const upserts = [1, 2].map((mechanism) =>
          create(ScramCredentialSchema, {
            user,
            mechanism,
            salt: new Uint8Array(16),
            storedKey: new Uint8Array(mechanism * 32),
            serverKey: new Uint8Array(mechanism * 32),
            iterations: 4_096,
          }),
        );
        await admin.alterUsers(clusterId, 'somebody', { upserts, deletions: [] });
      }
      const usersAfter = async (after: string | undefined, limit: number) =>
        (await admin.listUsers(clusterId, { after, limit })).map(({ user, mechanism }) => `${user} ${mechanism}`);
      expect(await usersAfter(undefined, 2)).toEqual(['alice 1', 'alice 2', 'bob 1', 'bob 2']);
      expect(await usersAfter('bobby', 2)).toEqual(['carol 1', 'carol 2']);

      const acls = ['payments', 'orders', 'clicks'].map((resourceName) =>
        create(AclBindingSchema, { ...acl, resourceName }),
      );
      await admin.createAcls(clusterId, 'somebody', acls);
      const [first, ...rest] = await admin.listAcls(clusterId, { after: undefined, limit: 10 });
      expect([first, ...rest].map((found) => found?.resourceName)).toEqual(['clicks', 'orders', 'payments']);
      const after = first === undefined ? undefined : aclKey(first);
      expect(await admin.listAcls(clusterId, { after, limit: 1 })).toEqual(rest.slice(0, 1));

      const ops = [{ key: 'producer_byte_rate', value: 1_000 }];
      await admin.alterQuota(clusterId, 'somebody', { user: 'alice', clientId: undefined, ops });
      const [quota] = await admin.listQuotas(clusterId, { after: undefined, limit: 1 });
      expect(quota).toMatchObject({ user: 'alice', producerByteRate: 1_000 });
      expect(await admin.listQuotas(clusterId, { after: quotaKey({ user: 'alice' }), limit: 1 })).toEqual([]);
      expect(await admin.listAgents(clusterId, { after: undefined, limit: 1 })).toEqual([]);
    });

    test('settings change only from the version that was read', async () => {
      const { admin, clusterId } = await harness.cluster();
      const settings = create(SecuritySettingsSchema, { superUsers: ['User:admin'] });
      const { version } = await admin.updateSecuritySettings(clusterId, settings, 0);
      await admin.createAcls(clusterId, 'somebody', [acl]);
      const outdated = admin.updateSecuritySettings(clusterId, create(SecuritySettingsSchema), Number(version));
      await expect(outdated).rejects.toMatchObject({ kind: 'conflict', code: 'security_changed' });
    });
  });

  test(`${name}: watching begins with the view`, async () => {
    const { admin, clusterId } = await harness.cluster();
    await admin.createTopics(clusterId, [newTopic(`orders-${randomUUID()}`)]);
    const stop = new AbortController();
    for await (const view of admin.watchClusterView(clusterId, stop.signal)) {
      expect(view.topics).toHaveLength(1);
      stop.abort();
    }
    expect(stop.signal.aborted).toBe(true);
  });
}
