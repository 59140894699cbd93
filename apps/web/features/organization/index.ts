export { BehindSso } from './behind-sso';
export { BehindTwoFactor } from './behind-two-factor';
export { CreateOrganization } from './create-organization';
export { DeletedOrganizations } from './deleted-organizations';
