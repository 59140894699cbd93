// The public API over fetch, mounted at /api/v1, and its OpenAPI document.
import 'server-only';
import { handleRest, openApiDocument } from '@penstock/api';
import { getBackend } from './backend';

export function handleRestApi(request: Request): Promise<Response> {
  return handleRest(getBackend(), request);
}

// Made once per process: it changes with the code alone.
let document: string | undefined;

export function handleOpenApi(): Response {
  document ??= JSON.stringify(openApiDocument(getBackend().webUrl));
  return new Response(document, {
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' },
  });
}
