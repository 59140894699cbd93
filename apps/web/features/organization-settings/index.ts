export { OrganizationPage } from './organization-page';
