// Users, ACLs, quotas and access settings of a cluster.
import { z } from 'zod';
import { list, none, one, type Route } from '../route.ts';
import {
  aclSchema,
  clientQuotaSchema,
  clusterUserSchema,
  createdAclsSchema,
  deletedAclsSchema,
  deniedRequestsSchema,
  securitySettingsSchema,
} from '../schemas/access-schemas.ts';

/** JSON has no type for times, so they are text. */
const expiry = z.object({
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Use a time such as 2027-01-31T00:00:00Z.' })
    .transform((text) => new Date(text))
    .nullable()
    .default(null)
    .meta({ description: 'RFC 3339. Null for a credential that doesn’t expire.' }),
});

const exampleAcl = {
  resourceType: 'TOPIC',
  resourceName: 'orders-',
  patternType: 'PREFIXED',
  principal: 'User:billing-service',
  operation: 'READ',
};

export const accessRoutes: readonly Route[] = [
  list({
    method: 'get',
    path: '/clusters/{clusterId}/users',
    id: 'listClusterUsers',
    tag: 'Access control',
    summary: 'List the Kafka users of a cluster',
    description: 'Verifiers are never returned.',
    procedure: 'access.listUsers',
    schema: clusterUserSchema,
    select: (users) => users,
    idOf: ({ user }) => user,
  }),
  one({
    method: 'post',
    path: '/clusters/{clusterId}/users/{user}/credentials',
    id: 'putClusterUserCredential',
    tag: 'Access control',
    summary: 'Add or replace a SCRAM credential of a Kafka user',
    description:
      'Send a verifier (RFC 5802, section 3), never a password: `salt`, `storedKey` and `serverKey` are base64. `penstock user create` derives it for you. Agents accept the new credential within seconds.',
    procedure: 'access.putUserCredential',
    extra: expiry,
    example: {
      mechanism: 'SCRAM-SHA-256',
      salt: 'W22ZaJ0SNY7soEsUEjb6gQ==',
      storedKey: 'WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=',
      serverKey: 'wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
      iterations: 4_096,
      expiresAt: null,
    },
    schema: clusterUserSchema,
    select: (user) => user,
  }),
  none({
    method: 'delete',
    path: '/clusters/{clusterId}/users/{user}',
    id: 'deleteClusterUser',
    tag: 'Access control',
    summary: 'Delete a Kafka user',
    description:
      'Deletes all credentials of the user, or one if `mechanism` is given. Agents end the user’s connections within seconds. ACLs and quotas that name the user stay.',
    procedure: 'access.deleteUser',
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/acls',
    id: 'listAcls',
    tag: 'Access control',
    summary: 'List the ACLs of a cluster, oldest first',
    procedure: 'access.listAcls',
    schema: aclSchema,
    select: (acls) => acls,
    idOf: (acl) => Object.values(acl).join('\n'),
  }),
  one({
    method: 'post',
    path: '/clusters/{clusterId}/acls',
    id: 'createAcls',
    tag: 'Access control',
    summary: 'Create up to 100 ACLs',
    description:
      'Each ACL is accepted or refused on its own. An ACL that exists already is accepted. ACLs have an effect once `aclMode` is `shadow` or `enforced`.',
    procedure: 'access.createAcls',
    example: { acls: [exampleAcl] },
    status: 201,
    schema: createdAclsSchema,
    select: (created) => created,
  }),
  one({
    method: 'delete',
    path: '/clusters/{clusterId}/acls',
    id: 'deleteAcls',
    tag: 'Access control',
    summary: 'Delete the ACLs that match all given fields',
    description:
      'At least one field is required. With `patternType=MATCH`, all patterns match that apply to the resource of this name.',
    procedure: 'access.deleteAcls',
    schema: deletedAclsSchema,
    select: (deleted) => ({ deleted }),
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/denied-requests',
    id: 'listDeniedRequests',
    tag: 'Access control',
    summary: 'List the requests of the last hour that ACLs denied, latest first',
    description:
      'Includes requests that ACLs would have denied in shadow mode. Each item names the ACL that would allow the requests, or the ACL that denies them. Agents report every 10 seconds, up to 100 different requests each. At most 200 are listed.',
    procedure: 'access.listDeniedRequests',
    schema: deniedRequestsSchema,
    select: (denied) => denied,
    idOf: ({ principal, operation, resourceType, resourceName }) =>
      [principal, operation, resourceType, resourceName].join('\n'),
  }),
  one({
    method: 'get',
    path: '/clusters/{clusterId}/access-settings',
    id: 'getAccessSettings',
    tag: 'Access control',
    summary: 'Get the access settings of a cluster',
    procedure: 'access.getSettings',
    schema: securitySettingsSchema,
    select: (settings) => settings,
  }),
  one({
    method: 'patch',
    path: '/clusters/{clusterId}/access-settings',
    id: 'updateAccessSettings',
    tag: 'Access control',
    summary: 'Update the access settings of a cluster',
    description:
      'Omitted settings don’t change. With `expectedVersion`, the change is refused if users, ACLs, quotas or settings have changed since that version.',
    procedure: 'access.updateSettings',
    example: { aclMode: 'enforced', superUsers: ['User:admin'] },
    schema: securitySettingsSchema,
    select: (settings) => settings,
  }),
  list({
    method: 'get',
    path: '/clusters/{clusterId}/quotas',
    id: 'listClientQuotas',
    tag: 'Access control',
    summary: 'List the client quotas of a cluster',
    procedure: 'access.listQuotas',
    schema: clientQuotaSchema,
    select: (quotas) => quotas,
    idOf: ({ user, clientId }) => JSON.stringify([user, clientId]),
  }),
  one({
    method: 'post',
    path: '/clusters/{clusterId}/quotas',
    id: 'setClientQuota',
    tag: 'Access control',
    summary: 'Set or remove the quotas of a user, a client ID or both',
    description:
      'Null removes a quota. Omitted ones don’t change. An empty `user` or `clientId` is Kafka’s default entity.',
    procedure: 'access.setQuota',
    example: { user: 'billing-service', producerByteRate: 10_485_760 },
    schema: clientQuotaSchema,
    select: (quota) => quota,
  }),
];
