// Runs once before a whole test run: starts the shared PostgreSQL and migrates its template, so that no test spends its own time limit on
// it.
import { createTestDatabase } from './test-database.ts';

export default async function warmUp(): Promise<void> {
  const database = await createTestDatabase();
  await database.drop();
}
