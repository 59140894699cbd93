export { CreateOrganization } from './create-organization';
export { DeletedOrganizations } from './deleted-organizations';
