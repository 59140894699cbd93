// `npm run billing:recompute`: finds the database and hands over to packages/billing.
import { runOnDatabase } from './run-on-database.ts';

/** Nothing can be said: the same code as that of the program itself. */
const CANNOT_CODE = 2;

await runOnDatabase('packages/billing/src/recompute/main.ts', process.argv.slice(2), CANNOT_CODE);
