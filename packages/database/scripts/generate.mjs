// Generates the Prisma client into packages/database/generated (git-ignored). Part of the bootstrap, after the install.
import { runPrisma } from './prisma.mjs';

process.exitCode = runPrisma(['generate']);
