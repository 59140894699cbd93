// The calculator's operations in the OpenAPI document. They need no key and no organization.
import { z } from 'zod';
import type { ZodOpenApiResponsesObject } from 'zod-openapi';
import { answerHeaders, refusalResponse } from '../rest/documented-answers.ts';
import type { OpenOperations } from '../rest/openapi.ts';
import type { ProblemStatus } from '../rest/problem.ts';

/** Inputs by key. The catalogue and the calculator list the possible ones. */
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
    '200': { description: success, headers: answerHeaders, content: { 'application/json': { schema } } },
    ...Object.fromEntries(refusals.map((status) => [String(status), refusalResponse(status)])),
  };
}

const TAG = 'Calculator';
const open = { tags: [TAG], security: [] };

export const calculatorOperations: OpenOperations = {
  tag: TAG,
  paths: {
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
        responses: responses('The catalog', z.looseObject({}), [422, 429]),
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
  },
};
