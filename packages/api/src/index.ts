// The dashboard's API. Server-side; browsers import types from here and validation rules from `@penstock/api/inputs`.
export type { LiveUpdate as ClusterWatchEvent } from '@penstock/clusters';
export { type AppRouter, appRouter, createCaller } from './app-router.ts';
export type { Backend } from './backend.ts';
export { exportEstimate } from './calculator/export-estimate.ts';
export { handleDashboardCall } from './dashboard-api.ts';
export { respondWithFile, type StreamedFile } from './operation/streamed-file.ts';
export { handleRest, openApiDocument } from './public-api.ts';
export { API_BASE, restPathOf } from './rest/answer-rest.ts';
export type { RestRequest, RestResponse } from './rest/exchange.ts';
export { handleScim, SCIM_BASE } from './scim/answer-scim.ts';
export type { CurrentSession } from './session/operations.ts';
export { type ApiContext, createContext } from './trpc/context.ts';
export type { ErrorDetails } from './trpc/errors.ts';
