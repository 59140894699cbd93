// `npm run audit:verify`, `billing:credit-note` and the like: finds the database and hands over to a command of apps/admin.
import { runOnDatabase } from './run-on-database.ts';

const [command = '', ...args] = process.argv.slice(2);
await runOnDatabase(`apps/admin/src/${command}.ts`, args, 1);
