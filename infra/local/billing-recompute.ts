// `npm run billing:recompute`: finds the database and runs the program of packages/billing.
import { runOnDatabase } from './run-on-database.ts';

/** No result: the same exit code as the program's own. */
const CANNOT_CODE = 2;

await runOnDatabase('packages/billing/src/recompute/main.ts', process.argv.slice(2), CANNOT_CODE);
