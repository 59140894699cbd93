export { ROLE_TEXTS, roleOptions } from './role-texts';
