// Test support for all packages. Production code never imports this package.
export { type Certificate, TestAuthority } from './certificates.ts';
export { connectToSharedServer, type SharedServer, sharedServerUrl } from './shared-server.ts';
