// The dashboard's API. Server-side; browsers import types from here and validation rules from `@penstock/api/inputs`.
export { type AppRouter, appRouter, createCaller } from './app-router.ts';
export type { Backend } from './backend.ts';
export { exportEstimate } from './calculator/export-estimate.ts';
export type { ClusterWatchEvent } from './cluster-router/inputs.ts';
export { handleDashboardCall } from './dashboard-api.ts';
export { handleRest, openApiDocument } from './public-api.ts';
export { API_BASE } from './rest/answer-rest.ts';
export type { RestRequest, RestResponse } from './rest/exchange.ts';
export { handleScim, SCIM_BASE } from './scim/answer-scim.ts';
export type { CurrentSession } from './session-router/inputs.ts';
export { type ApiContext, createContext } from './trpc/context.ts';
export type { ErrorDetails } from './trpc/errors.ts';
export { respondWithFile, type StreamedFile } from './trpc/streamed-file.ts';
