// `npm test` and the programs with faults run as a separate step what `npm start` builds on the way.
import { buildAgent } from './build.ts';
import { complain } from './terminal.ts';

await buildAgent().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
