// `npm run fault -- <name>`: breaks things and checks every acknowledgement afterwards.
import { buildAgent } from './build.ts';
import { faults, runNamed } from './programs.ts';
import { complain } from './terminal.ts';

await runNamed('fault', faults, process.argv.slice(2), buildAgent).catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
