// The calculator's operations in the OpenAPI document. They need no key and no organization, and stand in the web app.
import { z } from 'zod';
import type { ZodOpenApiPathsObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ProblemStatus, titleOf } from './problem.ts';

const limitHeaders = z.object({ RateLimit: z.string(), 'RateLimit-Policy': z.string() });

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .meta({ id: 'CalculatorProblem', description: 'Problem details (RFC 9457).' });

/** Inputs by their key; see the catalogue and the calculator for what there is. */
const fields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const estimateRequest = z
  .strictObject({
    workload: fields.optional(),
    assumptions: fields.optional(),
    pins: fields.optional(),
    prices: fields.optional(),
    asOf: z.string().optional().meta({ description: 'Use the prices of this day, such as 2026-11-01.' }),
  })
  .meta({ id: 'EstimateRequest', example: { workload: { throughput: 100, throughputUnit: 'MiB/s' } } });

function responses(success: string, schema: z.ZodType, refusals: readonly ProblemStatus[]): ZodOpenApiResponsesObject {
  return {
    '200': { description: success, headers: limitHeaders, content: { 'application/json': { schema } } },
    ...Object.fromEntries(
      refusals.map((status) => [
        String(status),
        {
          description: titleOf(status),
          headers: status === 429 ? limitHeaders.extend({ 'Retry-After': z.string() }) : limitHeaders,
          content: { 'application/problem+json': { schema: problemSchema } },
        },
      ]),
    ),
  };
}

const open = { tags: ['Calculator'], security: [] };

export const calculatorPaths: ZodOpenApiPathsObject = {
  '/tco/estimates': {
    post: {
      ...open,
      operationId: 'estimateCost',
      summary: 'Estimate the cost of a workload on Penstock and its alternatives',
      description: 'Doesn’t require an API key. Send an empty object to estimate the calculator’s default workload.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: estimateRequest } },
      },
      responses: responses('The estimate', z.looseObject({}), [400, 413, 415, 422, 429]),
    },
  },
  '/tco/catalogue': {
    get: {
      ...open,
      operationId: 'getPriceCatalogue',
      summary: 'Get the dated prices used in estimates, with their sources',
      responses: responses('The catalogue', z.looseObject({}), [422, 429]),
    },
  },
  '/tco/published-figures': {
    get: {
      ...open,
      operationId: 'listPublishedFigures',
      summary: 'Get recomputed figures from published cost analyses',
      responses: responses('The figures', z.array(z.looseObject({ id: z.string() })), [422, 429]),
    },
  },
};
