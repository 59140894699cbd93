// `npm run fault -- zones`: the GETs per data file in a zone, and the effect on readers when another agent of their zone is slow, suspended or
// killed. Prints one line of JSON.
//   --counted-s 20   how long records are produced while GETs are counted
//   --fault-s 15     how long each fault lasts
import { parseArgs } from 'node:util';
import { runZones } from './support/zone-run.ts';

const { values: options } = parseArgs({
  options: { 'counted-s': { type: 'string', default: '20' }, 'fault-s': { type: 'string', default: '15' } },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function seconds(durationMs: number): number {
  return Number((durationMs / 1_000).toFixed(2));
}

say('Starting three zones of two agents each, and three consumer groups in every zone ...');
const { faults, wrong, getsPerFileAndZone, ...counts } = await runZones(
  { counted_ms: Number(options['counted-s']) * 1_000, fault_ms: Number(options['fault-s']) * 1_000 },
  ({ what, longestGapMs }) => say(`  ${what}: longest gap ${seconds(longestGapMs)} s`),
);
for (const fault of wrong) {
  say(`  ✗ ${fault}`);
}
say(
  JSON.stringify({
    gets_per_file_and_zone: Number(getsPerFileAndZone.toFixed(3)),
    ...counts,
    longest_gaps_s: Object.fromEntries(faults.map(({ what, longestGapMs }) => [what, seconds(longestGapMs)])),
    wrong: wrong.length,
  }),
);
process.exitCode = wrong.length === 0 ? 0 : 1;
