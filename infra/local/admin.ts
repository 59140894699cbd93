// `npm run admin -- <command>`: runs an operator's command of apps/admin on DATABASE_URL, or on the database of the running `npm start`.
import { join } from 'node:path';
import { findDatabaseUrl } from './database-url.ts';
import { root } from './paths.ts';
import { run } from './programs.ts';

const databaseUrl = await findDatabaseUrl();
await run(join(root, 'apps/admin/src/main.ts'), process.argv.slice(2), {
  ...process.env,
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
});
