// The control plane's database: its client and its migrations.
export { createPrismaClient, type Database, Prisma, poolOf, type Transaction } from './client.ts';
export { applyMigrations, diffSchemas, type MigrationOptions, pendingMigrations } from './migrations.ts';
export { forceRowSecurity, isForced, unforceRowSecurity } from './row-security.ts';
