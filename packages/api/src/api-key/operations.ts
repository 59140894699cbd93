// API keys.
import * as identity from '@penstock/identity';
import { z } from 'zod';
import { keyTime } from '../operation/cursor.ts';
import { TAKES_RIGHTS_AWAY } from '../operation/reasons.ts';
import { clusterRoles, exampleIds, instant, roleName } from '../operation/shared-schemas.ts';
import { not, operations } from '../trpc/operations.ts';
import { createApiKeyInput, rotateApiKeyInput } from './inputs.ts';

const { list, mutation, query } = operations('API keys');

const apiKeyExample = {
  id: exampleIds.key,
  name: 'deployments',
  role: 'admin',
  clusterRoles: [],
  isReadOnly: false,
  displayPrefix: 'psk_api_a1B2',
  displayLast4: 'x9Y8',
  createdAt: '2026-11-02T09:30:00.000Z',
  expiresAt: null,
  lastUsedAt: '2026-11-21T15:04:00.000Z',
  revokedAt: null,
  replacedById: null,
};

const apiKeySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    role: roleName,
    clusterRoles,
    isReadOnly: z.boolean(),
    displayPrefix: z.string(),
    displayLast4: z.string(),
    createdBy: z
      .string()
      .nullable()
      .meta({ description: 'The ID of the person or API key that created it. It ends when that person leaves.' }),
    createdAt: instant,
    expiresAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
    replacedById: z.uuid().nullable(),
  })
  .meta({ id: 'ApiKey', example: apiKeyExample });

const createdApiKeySchema = z
  .object({
    apiKey: apiKeySchema,
    plaintext: z.string().meta({ description: 'The secret. Returned only in this response.' }),
  })
  .meta({ id: 'CreatedApiKey', example: { apiKey: apiKeyExample, plaintext: 'psk_api_…' } });

export const apiKeyOperations = {
  list: list({
    access: 'api-key:read',
    key: z.tuple([keyTime, z.uuid()]),
    run: ({ ctx, slice }) => ctx.run((scope) => identity.listApiKeys(scope, slice)),
    keyOf: ({ createdAt, id }) => [createdAt, id],
    rest: ({ list }) =>
      list({
        route: 'GET /api-keys',
        id: 'listApiKeys',
        summary: 'List API keys, newest first, including expired and revoked keys',
        schema: apiKeySchema,
      }),
  }),
  create: mutation({
    access: 'api-key:write',
    confirmation: 'always',
    audit: 'api-key.create',
    input: createApiKeyInput,
    example: { name: 'deployments', role: 'admin', isReadOnly: false, lifetimeDays: 90 },
    run: ({ ctx, input }) => ctx.run((scope) => identity.createApiKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /api-keys',
        id: 'createApiKey',
        summary: 'Create an API key with at most the caller’s role',
        status: 201,
        schema: createdApiKeySchema,
      }),
  }),
  /** Open to every role: a key may read itself. */
  current: query({
    access: 'organization:read',
    run: ({ ctx }) => ctx.run(identity.getCurrentApiKey),
    rest: ({ one }) =>
      one({
        route: 'GET /api-keys/current',
        id: 'getCurrentApiKey',
        summary: 'Get the API key used for this request',
        schema: apiKeySchema,
      }),
  }),
  rotate: mutation({
    access: 'api-key:write',
    confirmation: 'always',
    audit: 'api-key.rotate',
    input: rotateApiKeyInput,
    example: { overlapHours: 24 },
    run: ({ ctx, input }) => ctx.run((scope) => identity.rotateApiKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'POST /api-keys/{apiKeyId}/rotate',
        id: 'rotateApiKey',
        summary: 'Rotate an API key',
        description: 'Creates a new key. The old key keeps working until the overlap ends.',
        status: 201,
        schema: createdApiKeySchema,
      }),
  }),
  revoke: mutation({
    access: 'api-key:write',
    confirmation: not(TAKES_RIGHTS_AWAY),
    audit: 'api-key.revoke',
    input: z.object({ apiKeyId: z.uuid() }),
    run: ({ ctx, input }) => ctx.run((scope) => identity.revokeApiKey(scope, input)),
    rest: ({ one }) =>
      one({
        route: 'DELETE /api-keys/{apiKeyId}',
        id: 'revokeApiKey',
        summary: 'Revoke an API key',
        schema: apiKeySchema,
      }),
  }),
};
