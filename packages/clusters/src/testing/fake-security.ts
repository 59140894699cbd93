// The part of the fake metadata service that keeps users, ACLs, quotas and the settings of access control: as messages, without rules.
import { create } from '@bufbuild/protobuf';
import {
  AclResultSchema,
  aclKey,
  DeletedAclsSchema,
  quotaKey,
  type SecurityState,
  SecurityStateSchema,
  UserScramResultSchema,
} from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import type { MetadataAdmin, Page } from '../metadata/metadata-admin.ts';

const KAFKA_POLICY_VIOLATION = 44;

export interface FakeSecurity {
  state: SecurityState;
  /** Resource names of which ACLs are refused. */
  readonly refusedNames: Set<string>;
  readonly calls: Pick<
    MetadataAdmin,
    | 'describeSecurity'
    | 'listUsers'
    | 'listAcls'
    | 'listQuotas'
    | 'alterUsers'
    | 'createAcls'
    | 'deleteAcls'
    | 'alterQuota'
    | 'updateSecuritySettings'
  >;
}

function inPage<Item>(items: readonly Item[], keyOf: (item: Item) => string, { after, limit }: Page): Item[] {
  return items
    .filter((item) => after === undefined || keyOf(item) > after)
    .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
    .slice(0, limit);
}

/** @param reach throws while the service is unreachable */
export function createFakeSecurity(reach: () => void): FakeSecurity {
  const fake: FakeSecurity = {
    state: create(SecurityStateSchema),
    refusedNames: new Set(),
    calls: {
      describeSecurity: async () => {
        reach();
        return fake.state;
      },
      listUsers: async (_clusterId, page) => {
        reach();
        const users = inPage([...new Set(fake.state.credentials.map(({ user }) => user))], (user) => user, page);
        return users.flatMap((user) => fake.state.credentials.filter((credential) => credential.user === user));
      },
      listAcls: async (_clusterId, page) => {
        reach();
        return inPage(fake.state.acls, aclKey, page);
      },
      listQuotas: async (_clusterId, page) => {
        reach();
        return inPage(fake.state.quotas, quotaKey, page);
      },
      alterUsers: async (_clusterId, _actor, { upserts, deletions }) => {
        reach();
        const altered = [...upserts, ...deletions].map(({ user, mechanism }) => `${user} ${mechanism}`);
        const kept = fake.state.credentials.filter(({ user, mechanism }) => !altered.includes(`${user} ${mechanism}`));
        change({ credentials: [...kept, ...upserts] });
        return [create(UserScramResultSchema, { user: [...upserts, ...deletions][0]?.user ?? '' })];
      },
      createAcls: async (_clusterId, _actor, bindings) => {
        reach();
        change({ acls: [...fake.state.acls, ...bindings.filter((acl) => !fake.refusedNames.has(acl.resourceName))] });
        return bindings.map(({ resourceName }) =>
          fake.refusedNames.has(resourceName)
            ? create(AclResultSchema, { errorCode: KAFKA_POLICY_VIOLATION, errorMessage: 'Too many ACLs.' })
            : create(AclResultSchema),
        );
      },
      deleteAcls: async (_clusterId, _actor, filters) => {
        reach();
        return filters.map(({ principal }) => {
          const deleted = fake.state.acls.filter((acl) => principal === undefined || acl.principal === principal);
          change({ acls: fake.state.acls.filter((acl) => !deleted.includes(acl)) });
          return create(DeletedAclsSchema, { deleted });
        });
      },
      alterQuota: async (_clusterId, _actor, { user, clientId, ops }) => {
        reach();
        const rate = ops.find(({ key }) => key === 'producer_byte_rate')?.value;
        const quota = {
          $typeName: 'penstock.metadata.v1.ClientQuota' as const,
          ...(user !== undefined && { user }),
          ...(clientId !== undefined && { clientId }),
          ...(typeof rate === 'number' && { producerByteRate: rate }),
        };
        change({ quotas: typeof rate === 'number' ? [quota] : [] });
        return create(AclResultSchema);
      },
      updateSecuritySettings: async (_clusterId, settings, expectedVersion) => {
        reach();
        if (expectedVersion !== 0 && BigInt(expectedVersion) !== fake.state.version) {
          throw new AppError({ kind: 'conflict', code: 'security_changed', message: 'Changed.' });
        }
        change({ settings });
        return fake.state;
      },
    },
  };

  function change(parts: Partial<SecurityState>): void {
    fake.state = { ...fake.state, ...parts, version: fake.state.version + 1n };
  }
  return fake;
}
