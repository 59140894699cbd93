// The OpenAPI document, prepared for its page. It is the same for all users.
import 'server-only';
import { openApiDocument } from '@penstock/api';
import { type OpenApiDocument, prepareReference, type Reference } from '../features/api-reference';

let reference: Reference | undefined;

export function getApiReference(): Reference {
  // Converted through JSON, as clients receive it. The page shows no server URL, so any will do.
  reference ??= prepareReference(JSON.parse(JSON.stringify(openApiDocument(''))) as OpenApiDocument);
  return reference;
}
