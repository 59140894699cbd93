// Users, ACLs, quotas and access settings of a cluster.
import * as clusters from '@penstock/clusters';
import {
  acl,
  aclFilter,
  quotaChange,
  scramVerifier,
  securitySettingsChange,
  userName,
} from '@penstock/clusters/inputs';
import { z } from 'zod';
import { keyName, keyText, keyTime } from '../operation/cursor.ts';
import { DAILY_WORK } from '../operation/reasons.ts';
import { instant } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { createAclsInput, putUserCredentialInput, updateSecuritySettingsInput } from './inputs.ts';

const { list, mutation, query } = operations('Access control', { isNulAllowed: true });

const clusterUserSchema = z
  .object({
    user: z.string(),
    credentials: z.array(
      z.object({
        mechanism: scramVerifier.shape.mechanism,
        iterations: z.int(),
        createdAt: instant,
        expiresAt: instant.nullable().meta({ description: 'Null if the credential doesn’t expire.' }),
        lastUsedAt: instant.nullable().meta({
          description:
            'When a client that signed in with the credential was last connected. Null if none was seen. Up to a minute behind.',
        }),
        lastUsedFrom: z
          .string()
          .nullable()
          .meta({ description: 'IP address of the client that signed in last. Null if none was seen.' }),
      }),
    ),
  })
  .meta({
    id: 'ClusterUser',
    example: {
      user: 'billing-service',
      credentials: [
        {
          mechanism: 'SCRAM-SHA-512',
          iterations: 8_192,
          createdAt: '2026-11-23T09:30:00.000Z',
          expiresAt: null,
          lastUsedAt: '2026-11-23T10:12:00.000Z',
          lastUsedFrom: '10.0.3.17',
        },
      ],
    },
  });

const aclSchema = z
  .object({
    resourceType: acl.shape.resourceType,
    resourceName: z.string(),
    patternType: acl.shape.patternType.unwrap(),
    principal: z.string(),
    host: z.string(),
    operation: acl.shape.operation,
    permission: acl.shape.permission.unwrap(),
  })
  .meta({
    id: 'Acl',
    description: 'An ACL in Kafka’s words. `*` as name, host or principal name stands for all.',
    example: {
      resourceType: 'TOPIC',
      resourceName: 'orders',
      patternType: 'LITERAL',
      principal: 'User:billing-service',
      host: '*',
      operation: 'READ',
      permission: 'ALLOW',
    },
  });

const deniedRequestExample = {
  principal: 'User:billing-service',
  host: '10.0.3.17',
  clientId: 'billing-7',
  operation: 'READ',
  resourceType: 'TOPIC',
  resourceName: 'orders',
  isEnforced: true,
  count: 42,
  firstAt: '2026-11-23T09:30:00.000Z',
  lastAt: '2026-11-23T10:12:00.000Z',
  allowingAcl: {
    resourceType: 'TOPIC',
    resourceName: 'orders',
    patternType: 'LITERAL',
    principal: 'User:billing-service',
    host: '*',
    operation: 'READ',
    permission: 'ALLOW',
  },
  denyingAcl: null,
} as const;

const deniedRequestsSchema = z
  .object({
    principal: z.string(),
    host: z.string().meta({ description: 'IP address of the client that was denied last.' }),
    clientId: z.string().meta({ description: 'Client ID of the client that was denied last. Can be empty.' }),
    operation: acl.shape.operation,
    resourceType: acl.shape.resourceType,
    resourceName: z.string(),
    isEnforced: z.boolean().meta({ description: 'Whether the last request was refused. False in shadow mode.' }),
    count: z.int(),
    firstAt: instant,
    lastAt: instant,
    allowingAcl: aclSchema
      .nullable()
      .meta({ description: 'The narrowest ACL for all hosts that allows the requests. Null if an ACL denies them.' }),
    denyingAcl: aclSchema
      .nullable()
      .meta({ description: 'An ACL that denies the requests. Delete it to allow them. Null if there is none.' }),
  })
  .meta({
    id: 'DeniedRequests',
    description: 'Requests of one principal for one operation on one resource that ACLs denied.',
    example: deniedRequestExample,
  });

const createdAclsSchema = z
  .object({
    created: z.array(aclSchema).meta({ description: 'Includes those that existed already.' }),
    refused: z.array(z.object({ acl: aclSchema, message: z.string() })),
  })
  .meta({ id: 'CreatedAcls' });

const deletedAclsSchema = z.object({ deleted: z.array(aclSchema) }).meta({ id: 'DeletedAcls' });

const securitySettingsSchema = z
  .object({
    version: z.int().meta({ description: 'Increases with each change of users, ACLs, quotas and settings.' }),
    superUsers: z.array(z.string()).meta({ description: 'Principals that may do everything.' }),
    allowEveryoneIfNoAclFound: z
      .boolean()
      .meta({ description: 'Whether a resource without any ACL is open to everyone, as in Kafka.' }),
    aclMode: securitySettingsChange.shape.aclMode.unwrap().meta({
      description: '`shadow` checks ACLs and logs what they would deny, but allows it. `enforced` denies it.',
    }),
    authentication: securitySettingsChange.shape.authentication.unwrap().meta({
      description: 'Whether clients must authenticate. By default they must as soon as the cluster has a credential.',
    }),
  })
  .meta({
    id: 'SecuritySettings',
    example: {
      version: 12,
      superUsers: ['User:admin'],
      allowEveryoneIfNoAclFound: false,
      aclMode: 'enforced',
      authentication: 'when-credentials-exist',
    },
  });

const clientQuotaSchema = z
  .object({
    user: z.string().nullable().meta({
      description:
        'Null if the quota doesn’t depend on the user. Empty for the default of all users without a quota of their own.',
    }),
    clientId: z.string().nullable().meta({ description: 'Likewise for the client ID.' }),
    producerByteRate: z.number().nullable().meta({ description: 'Bytes per second and agent.' }),
    consumerByteRate: z.number().nullable().meta({ description: 'Bytes per second and agent.' }),
    requestPercentage: z.number().nullable().meta({ description: 'Percent of one thread’s time.' }),
  })
  .meta({
    id: 'ClientQuota',
    example: {
      user: 'billing-service',
      clientId: null,
      producerByteRate: 10_485_760,
      consumerByteRate: null,
      requestPercentage: null,
    },
  });

const ofCluster = z.object({ clusterId: z.uuid() });

const listAccessInput = ofCluster;

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

const setQuotaInput = z.object({ clusterId: z.uuid(), ...quotaChange.shape });

export const accessOperations = {
  listUsers: list({
    access: 'access:read',
    input: listAccessInput,
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listUsers(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: ({ user }) => [user],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/users',
        id: 'listClusterUsers',
        summary: 'List the Kafka users of a cluster',
        description: 'Verifiers are never returned.',
        schema: clusterUserSchema,
      }),
  }),
  putUserCredential: mutation({
    access: 'access:write',
    confirmation: 'always',
    audit: 'cluster-user.put-credential',
    input: putUserCredentialInput,
    example: {
      mechanism: 'SCRAM-SHA-256',
      salt: 'W22ZaJ0SNY7soEsUEjb6gQ==',
      storedKey: 'WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=',
      serverKey: 'wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
      iterations: 4_096,
      expiresAt: null,
    },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.putUserCredential(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/users/{user}/credentials',
        id: 'putClusterUserCredential',
        summary: 'Add or replace a SCRAM credential of a Kafka user',
        description:
          'Send a verifier (RFC 5802, section 3), never a password: `salt`, `storedKey` and `serverKey` are base64. `penstock user create` derives it for you. Agents accept the new credential within seconds.',
        extra: expiry,
        schema: clusterUserSchema,
      }),
  }),
  deleteUser: mutation({
    access: 'access:write',
    confirmation: 'always',
    audit: 'cluster-user.delete',
    input: z.object({
      clusterId: z.uuid(),
      user: userName,
      /** All credentials of the user if omitted. */
      mechanism: scramVerifier.shape.mechanism.optional(),
    }),
    run: ({ ctx, input }) => ctx.run((scope) => clusters.deleteUser(scope, ctx.backend.metadata, input)),
    rest: ({ none }) =>
      none({
        route: 'DELETE /clusters/{clusterId}/users/{user}',
        id: 'deleteClusterUser',
        summary: 'Delete a Kafka user',
        description:
          'Deletes all credentials of the user, or one if `mechanism` is given. Agents end the user’s connections within seconds. ACLs and quotas that name the user stay.',
      }),
  }),
  listAcls: list({
    access: 'access:read',
    input: listAccessInput,
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listAcls(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: (acl) => [clusters.keyOfAcl(acl)],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/acls',
        id: 'listAcls',
        summary: 'List the ACLs of a cluster, by resource',
        schema: aclSchema,
      }),
  }),
  createAcls: mutation({
    access: 'access:write',
    confirmation: 'always',
    audit: 'acl.create',
    input: createAclsInput,
    example: { acls: [exampleAcl] },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.createAcls(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/acls',
        id: 'createAcls',
        summary: 'Create up to 100 ACLs',
        description:
          'Each ACL is accepted or refused on its own. An ACL that exists already is accepted. ACLs have an effect once `aclMode` is `shadow` or `enforced`.',
        status: 201,
        schema: createdAclsSchema,
      }),
  }),
  deleteAcls: mutation({
    access: 'access:write',
    confirmation: 'always',
    audit: 'acl.delete',
    input: z.object({ clusterId: z.uuid(), ...aclFilter.shape }),
    example: { principal: 'User:billing-service' },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.deleteAcls(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'DELETE /clusters/{clusterId}/acls',
        id: 'deleteAcls',
        summary: 'Delete the ACLs that match all given fields',
        description:
          'At least one field is required. With `patternType=MATCH`, all patterns match that apply to the resource of this name.',
        schema: deletedAclsSchema,
        select: (deleted) => ({ deleted }),
      }),
  }),
  listDeniedRequests: list({
    access: 'access:read',
    input: listAccessInput,
    key: z.tuple([keyTime, keyText]),
    run: ({ ctx, input, slice }) => ctx.run((scope) => clusters.listDeniedRequests(scope, input.clusterId, slice)),
    keyOf: ({ lastAt, id }) => [lastAt, id],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/denied-requests',
        id: 'listDeniedRequests',
        summary: 'List the requests of the last hour that ACLs denied, latest first',
        description:
          'Includes requests that ACLs would have denied in shadow mode. Each item names the ACL that would allow the requests, or the ACL that denies them. Agents report every 10 seconds, up to 100 different requests each.',
        schema: deniedRequestsSchema,
      }),
  }),
  getSettings: query({
    access: 'access:read',
    input: listAccessInput,
    run: ({ ctx, input }) =>
      ctx.run((scope) => clusters.getSecuritySettings(scope, ctx.backend.metadata, input.clusterId)),
    rest: ({ one }) =>
      one({
        route: 'GET /clusters/{clusterId}/access-settings',
        id: 'getAccessSettings',
        summary: 'Get the access settings of a cluster',
        schema: securitySettingsSchema,
      }),
  }),
  updateSettings: mutation({
    access: 'access:write',
    confirmation: 'always',
    audit: 'security.update-settings',
    input: updateSecuritySettingsInput,
    example: { aclMode: 'enforced', superUsers: ['User:admin'] },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.updateSecuritySettings(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'PATCH /clusters/{clusterId}/access-settings',
        id: 'updateAccessSettings',
        summary: 'Update the access settings of a cluster',
        description:
          'Omitted settings don’t change. With `expectedVersion`, the change is refused if users, ACLs, quotas or settings have changed since that version.',
        schema: securitySettingsSchema,
      }),
  }),
  listQuotas: list({
    access: 'access:read',
    input: listAccessInput,
    key: z.tuple([keyName]),
    run: ({ ctx, input, slice }) =>
      ctx.run((scope) => clusters.listQuotas(scope, ctx.backend.metadata, { ...input, slice })),
    keyOf: (quota) => [clusters.keyOfQuota(quota)],
    rest: ({ list }) =>
      list({
        route: 'GET /clusters/{clusterId}/quotas',
        id: 'listClientQuotas',
        summary: 'List the client quotas of a cluster',
        schema: clientQuotaSchema,
      }),
  }),
  setQuota: mutation({
    access: 'access:write',
    confirmation: not(DAILY_WORK),
    audit: 'quota.set',
    input: setQuotaInput,
    example: { user: 'billing-service', producerByteRate: 10_485_760 },
    run: ({ ctx, input }) => ctx.run((scope) => clusters.setQuota(scope, ctx.backend.metadata, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /clusters/{clusterId}/quotas',
        id: 'setClientQuota',
        summary: 'Set or remove the quotas of a user, a client ID or both',
        description:
          'Null removes a quota. Omitted ones don’t change. An empty `user` or `clientId` is Kafka’s default entity.',
        schema: clientQuotaSchema,
      }),
  }),
};
