// The parts of the OpenAPI document that all responses share: headers, and problem details for each refusal.
import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { exampleIds } from '../operation/shared-schemas.ts';
import { type ProblemStatus, titleOf } from './problem.ts';

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string().meta({ description: 'Stable. Handle errors by code, not by message.' }),
    remedy: z.string().optional(),
    requestId: z.uuid(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({
    id: 'Problem',
    description: 'Problem details (RFC 9457).',
    example: {
      type: 'urn:penstock:problem:cluster_name_taken',
      title: 'Conflict',
      status: 409,
      detail: 'A cluster named “orders” already exists in this organization.',
      code: 'cluster_name_taken',
      remedy: 'Choose another name.',
      requestId: exampleIds.audit,
      errors: [{ pointer: '#/name', detail: 'A cluster named “orders” already exists in this organization.' }],
    },
  });

export const answerHeaders = z.object({
  'X-Request-Id': z.uuid().meta({ description: 'Include it when you contact support.' }),
  RateLimit: z
    .string()
    .optional()
    .meta({ description: 'The remaining quota and the number of seconds until it resets.' }),
  'RateLimit-Policy': z.string().optional().meta({ description: 'The quota and its window in seconds.' }),
});

const refusalResponses = new Map<ProblemStatus, ZodOpenApiResponseObject>();

/** One object per status for the whole document: the library turns what has an id into a component. */
export function refusalResponse(status: ProblemStatus): ZodOpenApiResponseObject {
  const known = refusalResponses.get(status);
  if (known !== undefined) {
    return known;
  }
  const made = {
    id: `Problem${status}`,
    description: titleOf(status),
    headers: answerHeaders,
    content: { 'application/problem+json': { schema: problemSchema } },
  };
  refusalResponses.set(status, made);
  return made;
}
