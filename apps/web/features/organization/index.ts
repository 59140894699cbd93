export { BehindSso } from './behind-sso';
export { CreateOrganization } from './create-organization';
export { DeletedOrganizations } from './deleted-organizations';
