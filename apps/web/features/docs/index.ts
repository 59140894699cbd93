export { API_REFERENCE_SLUG, type DocsEntry, entryOf, FIRST_SLUG } from './contents';
export { DocsFrame } from './docs-frame';
export { DocsPage } from './docs-page';
