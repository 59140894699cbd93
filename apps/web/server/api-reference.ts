// The OpenAPI document, prepared for its page. It is the same for everybody.
import 'server-only';
import { openApiDocument } from '@penstock/api';
import { type OpenApiDocument, prepareReference, type Reference } from '../features/api-reference';

let reference: Reference | undefined;

export function getApiReference(): Reference {
  // Through JSON, as a caller gets it. The page names no address, so that of the server does not matter.
  reference ??= prepareReference(JSON.parse(JSON.stringify(openApiDocument(''))) as OpenApiDocument);
  return reference;
}
