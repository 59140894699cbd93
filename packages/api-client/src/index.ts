// A client of the public API whose types come from the OpenAPI document.
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './generated/schema.ts';

export type Schemas = components['schemas'];
export type PenstockClient = Client<paths>;

/** @param options.url the installation's origin, e.g. https://app.example.com */
export function createPenstockClient(options: { url: string; apiKey: string }): PenstockClient {
  return createFetchClient<paths>({
    baseUrl: `${options.url.replace(/\/+$/, '')}/api/v1`,
    headers: { authorization: `Bearer ${options.apiKey}` },
  });
}
