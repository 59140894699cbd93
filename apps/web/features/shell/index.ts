export { AppShell } from './app-shell';
export { PageHeader } from './page-header';
export { SectionNav } from './section-nav';
