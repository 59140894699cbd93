export { ApiReferencePage } from './api-reference-page';
export { type OpenApiDocument, prepareReference, type Reference } from './prepare-reference';
