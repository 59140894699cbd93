// The calculator's endpoints in the public API. They need no key; quotas apply per network address.
import {
  CATALOGUE_ENTRIES,
  catalogueChanges,
  estimateJson,
  estimateState,
  LATEST_DAY,
  MACHINES,
  PRICE_BOOKS,
  PUBLISHED_FIGURES,
  SOURCES,
} from '@penstock/pricing';
import type { OpenCall } from '../rest/answer-call.ts';
import type { OpenRoute } from '../rest/answer-rest.ts';
import type { RestResponse } from '../rest/exchange.ts';
import { HttpRefusal } from '../rest/problem.ts';
import { readEstimateRequest } from './read-estimate-request.ts';

/** Keyed by the path below /api/v1. */
export const calculatorRoutes: ReadonlyMap<string, OpenRoute> = new Map<string, OpenRoute>([
  ['/tco/estimates', { method: 'POST', answer: answerEstimate }],
  ['/tco/catalogue', { method: 'GET', answer: answerCatalogue }],
  ['/tco/published-figures', { method: 'GET', answer: answerPublishedFigures }],
]);

async function answerEstimate({ request }: OpenCall): Promise<RestResponse> {
  const state = await readEstimateRequest(request);
  return jsonAnswer(estimateJson(state, estimateState(state)), 'no-store');
}

function answerCatalogue({ query }: OpenCall): RestResponse {
  refuseParameters(query);
  const changes = catalogueChanges().map(({ date, entry, before }) => ({
    date,
    item: entry.item,
    tiers: entry.tiers,
    before: before?.tiers ?? null,
  }));
  return jsonAnswer(
    { asOf: LATEST_DAY, entries: CATALOGUE_ENTRIES, machines: MACHINES, priceBooks: PRICE_BOOKS, changes },
    'public, max-age=300',
  );
}

function answerPublishedFigures({ query }: OpenCall): RestResponse {
  refuseParameters(query);
  const figures = PUBLISHED_FIGURES.map((figure) => ({
    id: figure.id,
    source: SOURCES[figure.source].title,
    label: figure.label,
    stated: figure.stated,
    statedText: figure.statedText,
    computed: figure.computed?.toDecimalPlaces(9).toFixed() ?? null,
    unit: figure.unit,
    difference: figure.difference?.toDecimalPlaces(9).toFixed() ?? null,
    explanation: figure.explanation,
    formula: figure.formula,
    verdict: figure.verdict,
    preset: figure.preset,
  }));
  return jsonAnswer(figures, 'public, max-age=300');
}

function refuseParameters(query: URLSearchParams): void {
  if (query.size === 0) {
    return;
  }
  throw new HttpRefusal(422, 'input_invalid', 'This endpoint takes no parameters.', {
    errors: [...query.keys()].map((key) => ({ pointer: `?${key}`, detail: 'Unknown parameter.' })),
  });
}

function jsonAnswer(data: unknown, cacheControl: string): RestResponse {
  const headers = { 'content-type': 'application/json', 'cache-control': cacheControl };
  return { status: 200, headers, body: JSON.stringify(data) };
}
