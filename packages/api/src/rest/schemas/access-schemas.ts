// Schemas of users, ACLs, quotas and access settings in the public API.
import {
  aclModes,
  aclOperations,
  aclPatternTypes,
  aclPermissions,
  aclResourceTypes,
  authenticationRequirements,
  scramMechanisms,
} from '@penstock/clusters/inputs';
import { z } from 'zod';
import { instant } from './common.ts';

export const clusterUserSchema = z
  .object({
    user: z.string(),
    credentials: z.array(
      z.object({
        mechanism: z.enum(scramMechanisms),
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

export const aclSchema = z
  .object({
    resourceType: z.enum(aclResourceTypes),
    resourceName: z.string(),
    patternType: z.enum(aclPatternTypes),
    principal: z.string(),
    host: z.string(),
    operation: z.enum(aclOperations),
    permission: z.enum(aclPermissions),
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

export const deniedRequestsSchema = z
  .object({
    principal: z.string(),
    host: z.string().meta({ description: 'IP address of the client that was denied last.' }),
    clientId: z.string().meta({ description: 'Client ID of the client that was denied last. Can be empty.' }),
    operation: z.enum(aclOperations),
    resourceType: z.enum(aclResourceTypes),
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

export const createdAclsSchema = z
  .object({
    created: z.array(aclSchema).meta({ description: 'Includes those that existed already.' }),
    refused: z.array(z.object({ acl: aclSchema, message: z.string() })),
  })
  .meta({ id: 'CreatedAcls' });

export const deletedAclsSchema = z.object({ deleted: z.array(aclSchema) }).meta({ id: 'DeletedAcls' });

export const securitySettingsSchema = z
  .object({
    version: z.int().meta({ description: 'Increases with each change of users, ACLs, quotas and settings.' }),
    superUsers: z.array(z.string()).meta({ description: 'Principals that may do everything.' }),
    allowEveryoneIfNoAclFound: z
      .boolean()
      .meta({ description: 'Whether a resource without any ACL is open to everyone, as in Kafka.' }),
    aclMode: z.enum(aclModes).meta({
      description: '`shadow` checks ACLs and logs what they would deny, but allows it. `enforced` denies it.',
    }),
    authentication: z.enum(authenticationRequirements).meta({
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

export const clientQuotaSchema = z
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
