export { CreateOrganization } from './create-organization';
