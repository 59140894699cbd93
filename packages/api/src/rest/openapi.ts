// The OpenAPI document of the public API, generated from the routes and their response schemas.
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import type { Route } from '../operation/route.ts';
import { exampleIds } from '../operation/shared-schemas.ts';
import { API_BASE, pageOf } from './answer-rest.ts';
import { answerHeaders, refusalResponse } from './documented-answers.ts';
import type { ProblemStatus } from './problem.ts';
import { inputsOf, pathNames } from './route-input.ts';
import { routes } from './routes.ts';

const etagHeader = { ETag: z.string().meta({ description: 'Send it in If-Match or If-None-Match.' }) };

/** The refusals that an operation can return. */
function refusalsOf(route: Route): ProblemStatus[] {
  const isChange = route.method !== 'get';
  const hasMatch = route.answer.kind === 'one' && route.answer.current !== undefined;
  return [
    400,
    401,
    403,
    404,
    ...(isChange ? [409 as const] : []),
    ...(hasMatch ? [412 as const] : []),
    ...(isChange ? [413 as const, 415 as const] : []),
    422,
    429,
    503,
  ];
}

function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const { answer } = route;
  const json = (schema: z.ZodType) => ({ 'application/json': { schema } });
  const withEtag = answerHeaders.extend(etagHeader);
  const success: ZodOpenApiResponsesObject =
    answer.kind === 'none'
      ? { '204': { description: 'Done', headers: answerHeaders } }
      : answer.kind === 'file'
        ? {
            '200': {
              description: 'The file',
              headers: answerHeaders,
              content: { [answer.contentType]: { schema: { type: 'string', format: 'binary' } } },
            },
          }
        : answer.kind === 'stream'
          ? {
              '200': {
                description: 'The file, streamed',
                headers: answerHeaders,
                content: Object.fromEntries(
                  answer.contentTypes.map((contentType) => [
                    contentType,
                    { schema: { type: 'string', format: 'binary' } },
                  ]),
                ),
              },
            }
          : answer.kind === 'one'
            ? {
                [`${answer.status}`]: {
                  description: answer.status === 201 ? 'Created' : 'Done',
                  headers: withEtag,
                  content: json(answer.schema),
                },
              }
            : { '200': { description: 'A page of the list', headers: withEtag, content: json(pageOf(answer.schema)) } };
  const notModified =
    route.method === 'get' && answer.kind !== 'file' && answer.kind !== 'stream'
      ? { '304': { description: 'Not modified', headers: answerHeaders } }
      : {};
  const refusals = Object.fromEntries(refusalsOf(route).map((status) => [String(status), refusalResponse(status)]));
  return { ...success, ...notModified, ...refusals };
}

function requestHeaders(route: Route): z.ZodObject | null {
  const { answer, method } = route;
  const headers = {
    ...(method === 'post'
      ? {
          'Idempotency-Key': z
            .string()
            .regex(/^[\x21-\x7e]{1,255}$/)
            .optional()
            .meta({
              description:
                'A unique value for each request. Repeating a request with the same key and input within 24 hours returns the original result. The same key with a different input is rejected.',
              example: exampleIds.audit,
            }),
        }
      : {}),
    ...(answer.kind === 'one' && answer.current !== undefined
      ? {
          'If-Match': z.string().optional().meta({
            description:
              'The ETag of the object that you read. If the object has changed since, the request fails with 412.',
          }),
        }
      : {}),
  };
  return Object.keys(headers).length === 0 ? null : z.object(headers);
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { path, query, body } = inputsOf(route);
  const header = requestHeaders(route);
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.description === undefined ? {} : { description: route.description }),
    requestParams: {
      ...(pathNames(route.path).length === 0 ? {} : { path }),
      ...(Object.keys(query.shape).length === 0 ? {} : { query }),
      ...(header === null ? {} : { header }),
    },
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: !body.safeParse({}).success,
            content: {
              'application/json': { schema: body, ...(route.example === undefined ? {} : { example: route.example }) },
            },
          },
        }),
    responses: responsesOf(route),
  };
}

/** Operations that need no key. */
export interface OpenOperations {
  tag: string;
  paths: ZodOpenApiPathsObject;
}

function pathsOf(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return paths;
}

const INTRODUCTION = `Manage everything in an organization that you can manage in the dashboard, with the same permissions.

- **Keys.** Send \`Authorization: Bearer psk_api_…\`. A key belongs to one organization and has a role. It can be read-only.
- **Errors** are problem details (RFC 9457). Handle them by \`code\`, which never changes.
- **Lists** are paginated. Pass \`nextCursor\` as \`cursor\` until it is null.
- **Retries.** Send an \`Idempotency-Key\` with every POST. If you get no response, retry with the same key. The change happens only once.
- **Updates** accept \`If-Match\` with the ETag of the object that you read, so that you don't overwrite someone else's change.
- **Sizes.** A body has at most 64 KiB (413), the URL and the headers together 16 KiB (431).
- **Unknown fields** and parameters are rejected, never ignored.
- **Names in paths** are percent-encoded. For the names \`.\` and \`..\`, put \`-\` in the path and the name in the query: \`/consumer-groups/-?groupId=..\`.
- Every response has \`X-Request-Id\`, \`RateLimit\` and \`RateLimit-Policy\`.`;

/** @param serverUrl the origin that callers use */
export function documentOf(serverUrl: string, open: OpenOperations) {
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Penstock API', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: `${serverUrl}${API_BASE}` }],
    security: [{ apiKey: [] }],
    tags: [...new Set([...routes.map(({ tag }) => tag), open.tag])].map((name) => ({ name })),
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' } } },
    paths: { ...pathsOf(), ...open.paths },
  };
  return createDocument(document, {
    allowEmptySchema: { unknown: true },
    override: ({ jsonSchema, zodSchema }) => {
      const { type } = zodSchema._zod.def;
      if (type === 'date') {
        Object.assign(jsonSchema, { type: 'string', format: 'date-time' });
      }
      if (type === 'bigint') {
        Object.assign(jsonSchema, { type: 'string', pattern: '^-?[0-9]+$' });
      }
    },
  });
}
