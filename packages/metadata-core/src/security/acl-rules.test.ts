// The matches of filters are those that Kafka 4.3's ResourcePatternFilter and AccessControlEntryFilter give.
import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../model/error-code.ts';
import { acl, filter } from '../testing/security.ts';
import { AclOperation, AclPermission, PatternType, ResourceType } from './acl-numbers.ts';
import { bindingProblem, filterProblem, matches, onlyMatch } from './acl-rules.ts';

const { LITERAL, PREFIXED, MATCH, ANY } = PatternType;

describe('a filter matches by pattern', () => {
  const patterns = {
    literal: acl({ resourceName: 'orders' }),
    other: acl({ resourceName: 'orders-eu' }),
    wildcard: acl({ resourceName: '*' }),
    prefix: acl({ resourceName: 'ord', patternType: PREFIXED }),
    longer: acl({ resourceName: 'orders-', patternType: PREFIXED }),
    samePrefix: acl({ resourceName: 'orders', patternType: PREFIXED }),
    prefixStar: acl({ resourceName: '*', patternType: PREFIXED }),
  };
  type Name = keyof typeof patterns;

  it.each<{ what: string; patternType: number; resourceName: string | null; found: Name[] }>([
    { what: 'LITERAL: the same name only', patternType: LITERAL, resourceName: 'orders', found: ['literal'] },
    { what: 'LITERAL *: the wildcard only', patternType: LITERAL, resourceName: '*', found: ['wildcard'] },
    { what: 'LITERAL, any name', patternType: LITERAL, resourceName: null, found: ['literal', 'other', 'wildcard'] },
    { what: 'PREFIXED: the same prefix only', patternType: PREFIXED, resourceName: 'orders', found: ['samePrefix'] },
    {
      what: 'PREFIXED, any name',
      patternType: PREFIXED,
      resourceName: null,
      found: ['prefix', 'longer', 'samePrefix', 'prefixStar'],
    },
    {
      what: 'ANY: the same name, of either type',
      patternType: ANY,
      resourceName: 'orders',
      found: ['literal', 'samePrefix'],
    },
    { what: 'ANY *', patternType: ANY, resourceName: '*', found: ['wildcard', 'prefixStar'] },
    {
      what: 'MATCH: all patterns that apply to the name',
      patternType: MATCH,
      resourceName: 'orders',
      found: ['literal', 'wildcard', 'prefix', 'samePrefix'],
    },
    { what: 'MATCH *', patternType: MATCH, resourceName: '*', found: ['wildcard', 'prefixStar'] },
    { what: 'MATCH, any name', patternType: MATCH, resourceName: null, found: Object.keys(patterns) as Name[] },
  ])('$what', ({ patternType, resourceName, found }) => {
    const wanted = filter({ patternType, resourceName });
    const names = Object.keys(patterns) as Name[];
    expect(names.filter((name) => matches(wanted, patterns[name]))).toEqual(found);
  });
});

// User:* is not every user, and ALL is not every operation.
it('compares all its other fields literally', () => {
  const read = acl();
  expect(matches(filter({ principal: 'User:alice', host: '*' }), read)).toBe(true);
  expect(matches(filter({ principal: 'User:*' }), read)).toBe(false);
  expect(matches(filter({ host: '10.0.0.1' }), read)).toBe(false);
  expect(matches(filter({ operation: AclOperation.ALL }), read)).toBe(false);
  expect(matches(filter({ permissionType: AclPermission.DENY }), read)).toBe(false);
  expect(matches(filter({ resourceType: ResourceType.GROUP }), read)).toBe(false);
});

it('a filter that can match one ACL only is that ACL', () => {
  const exact = filter(acl());
  expect(onlyMatch(exact)).toEqual(acl());
  for (const wide of [
    { resourceName: null },
    { principal: null },
    { host: null },
    { patternType: MATCH },
    { operation: 1 },
  ]) {
    expect(onlyMatch({ ...exact, ...wide })).toBeNull();
  }
});

describe('an ACL is refused', () => {
  const { INVALID_REQUEST, POLICY_VIOLATION } = ErrorCode;

  it.each([
    { what: 'of any type of resource', fields: { resourceType: ResourceType.ANY }, code: INVALID_REQUEST },
    { what: 'of an unknown type of resource', fields: { resourceType: 8 }, code: INVALID_REQUEST },
    { what: 'with pattern type ANY', fields: { patternType: ANY }, code: INVALID_REQUEST },
    { what: 'with pattern type MATCH', fields: { patternType: MATCH }, code: INVALID_REQUEST },
    { what: 'for any operation', fields: { operation: AclOperation.ANY }, code: INVALID_REQUEST },
    { what: 'for an unknown operation', fields: { operation: 16 }, code: INVALID_REQUEST },
    { what: 'with any permission', fields: { permissionType: AclPermission.ANY }, code: INVALID_REQUEST },
    { what: 'without a resource name', fields: { resourceName: '' }, code: INVALID_REQUEST },
    { what: 'of another cluster', fields: { resourceType: ResourceType.CLUSTER }, code: INVALID_REQUEST },
    { what: 'for a principal without a type', fields: { principal: 'alice' }, code: INVALID_REQUEST },
    { what: 'for no host', fields: { host: '' }, code: INVALID_REQUEST },
    {
      what: 'with a resource name that is too long',
      fields: { resourceName: 'x'.repeat(1_025) },
      code: POLICY_VIOLATION,
    },
    {
      what: 'with a principal that is too long',
      fields: { principal: `User:${'x'.repeat(1_020)}` },
      code: POLICY_VIOLATION,
    },
    { what: 'with a host that is too long', fields: { host: 'x'.repeat(256) }, code: POLICY_VIOLATION },
  ])('$what', ({ fields, code }) => {
    expect(bindingProblem(acl(fields))?.errorCode).toBe(code);
  });
});

it('accepts every resource type and operation of Kafka 4.3', () => {
  for (const resourceType of Object.values(ResourceType).filter((type) => type !== ResourceType.ANY)) {
    const resourceName = resourceType === ResourceType.CLUSTER ? 'kafka-cluster' : 'x';
    for (const operation of Object.values(AclOperation).filter((one) => one !== AclOperation.ANY)) {
      expect(bindingProblem(acl({ resourceType, resourceName, operation }))).toBeNull();
    }
  }
});

// They could not say what they delete.
it('refuses filters with unknown numbers', () => {
  expect(filterProblem(filter())).toBeNull();
  for (const unknown of [{ resourceType: 0 }, { patternType: 0 }, { operation: 0 }, { permissionType: 4 }]) {
    expect(filterProblem(filter(unknown))?.errorCode).toBe(ErrorCode.INVALID_REQUEST);
  }
});
