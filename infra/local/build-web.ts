// `npm test` runs as a separate step what `npm start` builds on the way.
import { buildWeb } from './build.ts';
import { complain } from './terminal.ts';

await buildWeb().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
