// The public API as a whole: what needs a key, and the calculator, which needs none.
import type { Backend } from './backend.ts';
import { calculatorOperations } from './calculator/calculator-operations.ts';
import { calculatorRoutes } from './calculator/calculator-routes.ts';
import { answerRest } from './rest/answer-rest.ts';
import type { RestRequest, RestResponse } from './rest/exchange.ts';
import { documentOf } from './rest/openapi.ts';

/** Answers a request to any path below `API_BASE`. */
export function handleRest(backend: Backend, request: RestRequest): Promise<RestResponse> {
  return answerRest(backend, request, calculatorRoutes);
}

/** The OpenAPI document. @param serverUrl the origin that callers use */
export function openApiDocument(serverUrl: string) {
  return documentOf(serverUrl, calculatorOperations);
}
