// The calculator's download: an estimate as a file, from the page's link.
import { estimateCsv, estimateJson, estimateState, parseState } from '@penstock/pricing';
import type { Backend } from '../backend.ts';
import { answerOpenCall } from '../rest/answer-call.ts';
import type { RestRequest, RestResponse } from '../rest/exchange.ts';
import { HttpRefusal } from '../rest/problem.ts';

/** @param format `csv` or `json`; anything else is refused */
export function exportEstimate(backend: Backend, request: RestRequest, format: string): Promise<RestResponse> {
  return answerOpenCall(backend, request, ({ query }) => {
    const { state, errors } = parseState(query);
    const wrong = Object.entries(errors).map(([key, detail]) => ({ pointer: `?${key}`, detail }));
    if (wrong.length > 0) {
      throw new HttpRefusal(422, 'input_invalid', 'Some parameters of the link are invalid.', { errors: wrong });
    }
    const estimate = estimateState(state);
    const headers = {
      'content-disposition': `attachment; filename="penstock-estimate.${format}"`,
      'cache-control': 'no-store',
    };
    if (format === 'csv') {
      const contentType = 'text/csv; charset=utf-8; header=present';
      return { status: 200, headers: { ...headers, 'content-type': contentType }, body: estimateCsv(state, estimate) };
    }
    if (format === 'json') {
      const body = JSON.stringify(estimateJson(state, estimate));
      return { status: 200, headers: { ...headers, 'content-type': 'application/json' }, body };
    }
    throw new HttpRefusal(422, 'format_unknown', 'Use csv or json.');
  });
}
