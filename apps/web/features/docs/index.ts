export { type DocsEntry, entryOf, FIRST_SLUG } from './contents';
export { DocsPage } from './docs-page';
