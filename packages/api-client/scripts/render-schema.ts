// Renders the OpenAPI document as TypeScript.
import { openApiDocument } from '@penstock/api';
import openapiTS, { astToString } from 'openapi-typescript';

export async function renderSchema(): Promise<string> {
  // Converted through JSON, as clients receive it.
  const document = JSON.stringify(openApiDocument('https://app.penstock.example'));
  const head = '// Generated from the OpenAPI document by `pnpm --filter @penstock/api-client generate`.\n';
  return head + astToString(await openapiTS(document, { alphabetize: true }));
}
