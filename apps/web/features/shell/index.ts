export { AppShell } from './app-shell';
export { IntentLink } from './intent-link';
export { PageHeader } from './page-header';
export { SectionNav } from './section-nav';
