// Test support for all packages. Production code never imports this package.
export { type Certificate, TestAuthority } from './certificates.ts';
export { freePort } from './free-port.ts';
export { type ServerAccount, serverAccount } from './postgres-binaries.ts';
export { type PostgresServer, type PostgresServerOptions, startPostgresServer } from './postgres-server.ts';
export { createTestDatabase, type TestDatabase, type TestDatabaseOptions } from './test-database.ts';
