export { SsoCard } from './sso-card';
