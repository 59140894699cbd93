// The control plane's database: its client and its migrations.
export { createPrismaClient, type Database, Prisma, type Transaction } from './client.ts';
export { applyMigrations, diffSchemas, type MigrationOptions, pendingMigrations } from './migrations.ts';
export { forceRowSecurity, isForced, unforceRowSecurity } from './row-security.ts';
