// Runs once before a whole test run: starts the shared PostgreSQL and applies the migrations to its template, so that no
// single test pays for it out of its own time limit.
import { createTestDatabase } from './test-database.ts';

export default async function warmUp(): Promise<void> {
  const database = await createTestDatabase();
  await database.drop();
}
