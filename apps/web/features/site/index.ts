export { SiteFooter } from './site-footer';
export { SiteHeader } from './site-header';
export { StatusPage } from './status-page';
