// The public API of the calculator. No login; rate limited.
import 'server-only';
import { RateLimiter } from '@penstock/platform';
import {
  CATALOGUE_ENTRIES,
  catalogueChanges,
  estimateCsv,
  estimateJson,
  estimateState,
  LATEST_DAY,
  MACHINES,
  PRICE_BOOKS,
  PUBLISHED_FIGURES,
  parseState,
  SOURCES,
} from '@penstock/pricing';
import { callerOf } from './caller';
import { problem } from './problem';
import { readEstimateRequest } from './read-request';

const limiter = new RateLimiter('tco', 120, 60_000);

type Handler = (request: Request) => Response | Promise<Response>;

/** Counts the request, answers 429 beyond the quota, and puts the rate limit's headers on every answer. */
function limited(handle: Handler): Handler {
  return async (request) => {
    const verdict = limiter.take(callerOf(request.headers, process.env['PENSTOCK_TRUSTED_PROXIES']), Date.now());
    if (!verdict.allowed) {
      return problem(429, 'Wait for the number of seconds in Retry-After, then retry.', [], verdict.headers);
    }
    const response = await handle(request);
    for (const [name, value] of Object.entries(verdict.headers)) {
      response.headers.set(name, value);
    }
    return response;
  };
}

function refuseUnknownQuery(request: Request): Response | null {
  const errors = [...new URL(request.url).searchParams.keys()].map((key) => ({
    pointer: `?${key}`,
    detail: 'Unknown parameter.',
  }));
  return errors.length === 0 ? null : problem(422, 'This endpoint takes no parameters.', errors);
}

const CACHED = { headers: { 'Cache-Control': 'public, max-age=300' } };

export const postEstimate: Handler = limited(async (request) => {
  const read = await readEstimateRequest(request);
  return read.ok
    ? Response.json(estimateJson(read.state, estimateState(read.state)), { headers: { 'Cache-Control': 'no-store' } })
    : read.response;
});

export const getCatalogue: Handler = limited(
  (request) =>
    refuseUnknownQuery(request) ??
    Response.json(
      {
        asOf: LATEST_DAY,
        entries: CATALOGUE_ENTRIES,
        machines: MACHINES,
        priceBooks: PRICE_BOOKS,
        changes: catalogueChanges().map(({ date, entry, before }) => ({
          date,
          item: entry.item,
          tiers: entry.tiers,
          before: before?.tiers ?? null,
        })),
      },
      CACHED,
    ),
);

export const getPublishedFigures: Handler = limited(
  (request) =>
    refuseUnknownQuery(request) ??
    Response.json(
      PUBLISHED_FIGURES.map((figure) => ({
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
      })),
      CACHED,
    ),
);

/** The calculator's download: `csv` or `json` of the state in the query. */
export function getExport(format: string): Handler {
  return limited((request) => {
    const { state, errors } = parseState(new URL(request.url).searchParams);
    const wrong = Object.entries(errors).map(([key, detail]) => ({ pointer: `?${key}`, detail }));
    if (wrong.length > 0) {
      return problem(422, 'Some parameters of the link are invalid.', wrong);
    }
    const estimate = estimateState(state);
    const name = `attachment; filename="penstock-estimate.${format}"`;
    if (format === 'csv') {
      return new Response(estimateCsv(state, estimate), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': name,
          'Cache-Control': 'no-store',
        },
      });
    }
    return format === 'json'
      ? Response.json(estimateJson(state, estimate), {
          headers: { 'Content-Disposition': name, 'Cache-Control': 'no-store' },
        })
      : problem(422, 'Use csv or json.');
  });
}
