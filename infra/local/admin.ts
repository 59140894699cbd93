// `npm run audit:verify`, `billing:credit-note` and others: finds the database and runs a command of apps/admin.
import { runOnDatabase } from './run-on-database.ts';

const [command = '', ...args] = process.argv.slice(2);
await runOnDatabase(`apps/admin/src/${command}.ts`, args, 1);
