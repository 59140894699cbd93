import { describe, expect, test } from 'vitest';
import type { AclBinding, AclMode } from '../model/security.ts';
import { INITIAL_SECURITY_SETTINGS } from '../model/security.ts';
import { acl } from '../testing/security.ts';
import { AclOperation, AclPermission, CLUSTER_RESOURCE_NAME, PatternType, ResourceType } from './acl-numbers.ts';
import { mayChangeCluster } from './cluster-rights.ts';

const onCluster = (fields: Partial<AclBinding> = {}): AclBinding =>
  acl({
    resourceType: ResourceType.CLUSTER,
    resourceName: CLUSTER_RESOURCE_NAME,
    operation: AclOperation.ALTER,
    ...fields,
  });

function may(
  acls: AclBinding[],
  settings: { aclMode?: AclMode; superUsers?: string[]; allowEveryoneIfNoAclFound?: boolean } = {},
  change: 'ALTER' | 'ALTER_CONFIGS' = 'ALTER',
): boolean {
  const security = {
    settings: { ...INITIAL_SECURITY_SETTINGS, aclMode: 'enforced' as const, ...settings },
    acls: new Map(acls.map((binding, at) => [String(at), binding])),
  };
  return mayChangeCluster(security, 'User:alice', '/10.0.0.1', change);
}

describe('the right to change a cluster', () => {
  test.each([
    ['without an ACL', [], false],
    ['by an ACL of its own', [onCluster()], true],
    ['by ALL', [onCluster({ operation: AclOperation.ALL })], true],
    ['by the wildcard', [onCluster({ resourceName: '*' })], true],
    ['by a prefix', [onCluster({ resourceName: 'kafka', patternType: PatternType.PREFIXED })], true],
    ['by an ACL for everybody', [onCluster({ principal: 'User:*' })], true],
    ['by another principal’s', [onCluster({ principal: 'User:bob' })], false],
    ['from its host', [onCluster({ host: '10.0.0.1' })], true],
    ['from another host', [onCluster({ host: '10.0.0.2' })], false],
    ['by DESCRIBE', [onCluster({ operation: AclOperation.DESCRIBE })], false],
    ['by an ACL of a topic', [acl({ operation: AclOperation.ALL, resourceName: '*' })], false],
    [
      'denied to everybody',
      [onCluster(), onCluster({ principal: 'User:*', permissionType: AclPermission.DENY })],
      false,
    ],
  ])('%s', (_by, acls, expected) => {
    expect(may(acls)).toBe(expected);
    expect(may(acls, { aclMode: 'shadow' })).toBe(expected);
  });

  test('differs for quotas', () => {
    expect(may([onCluster()], {}, 'ALTER_CONFIGS')).toBe(false);
    expect(may([onCluster({ operation: AclOperation.ALTER_CONFIGS })], {}, 'ALTER_CONFIGS')).toBe(true);
  });

  test('belongs to super users, or to everyone without ACLs', () => {
    expect(may([], { aclMode: 'disabled' })).toBe(true);
    expect(may([], { superUsers: ['User:alice'] })).toBe(true);
    expect(may([], { superUsers: ['User:bob'] })).toBe(false);
    expect(may([], { allowEveryoneIfNoAclFound: true })).toBe(true);
    expect(may([onCluster({ principal: 'User:bob' })], { allowEveryoneIfNoAclFound: true })).toBe(false);
  });
});
