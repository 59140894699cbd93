// `npm run fault -- strangers`: a tenant next to a hostile one that attacks the metadata process, the agents' RPC and its own Kafka port, and a
// fuzzer of every RPC method and every Kafka API. The attacker stays within half a core, and is compared with honest load of that cost.
//   --seconds 20           of each phase
//   --attack patterns      one attack only; can be repeated
//   --seed 1               of the attacks' order and of the fuzzer
//   --rounds 1             of all attacks
//   --fuzz-minutes 60      more of the fuzzers at the end: CPU time of the attacker, in turns of five minutes
//   --share 0.5            of a core for the attacker
import { parseArgs } from 'node:util';
import { allAttacks, type Phase, runStrangers } from './fault-run.ts';
import { judge } from './judge.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    attack: { type: 'string', multiple: true, default: [...allAttacks] },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    'fuzz-minutes': { type: 'string', default: '0' },
    share: { type: 'string', default: '0.5' },
  },
});

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const COLUMNS = [
  'p50 ms',
  'p99 ms',
  'gap ms',
  'failed',
  'view ms',
  'check ms',
  'stall ms',
  'given up',
  'MiB',
  'peak MiB',
  'steps',
  'CPU s',
];

function row({ name, felt, service, attack }: Phase): string {
  const figures = [
    felt.p50_ms.toFixed(0),
    felt.p99_ms.toFixed(0),
    felt.longest_gap_ms.toFixed(0),
    String(felt.failed + felt.failed_views),
    felt.slowest_view_ms.toFixed(0),
    service.slowest_check_ms.toFixed(0),
    service.longest_stall_ms.toFixed(0),
    String(service.given_up),
    service.resident_mib.toFixed(0),
    service.peak_mib.toFixed(0),
    attack === undefined ? '' : String(attack.steps),
    attack === undefined ? '' : (attack.used_ms / 1_000).toFixed(1),
  ];
  return `${name.padEnd(12)}${figures.map((figure) => figure.padStart(10)).join('')}`;
}

const rounds = Array.from({ length: Number(options.rounds) }, () => options.attack).flat();
const plan = {
  phase_ms: Number(options.seconds) * 1_000,
  attacks: rounds,
  fuzz_cpu_ms: Number(options['fuzz-minutes']) * 60_000,
  seed: Number(options.seed),
  share: Number(options.share),
};
say(`${''.padEnd(12)}${COLUMNS.map((name) => name.padStart(10)).join('')}`);
const result = await runStrangers(plan, (phase) => {
  say(row(phase));
  if (phase.attack !== undefined) {
    say(
      `  ${Object.entries(phase.attack.outcomes)
        .map(([outcome, count]) => `${outcome}: ${count}`)
        .join(' · ')}`,
    );
  }
});
const wrong = judge(result);
say(`\n${result.acknowledged} records acknowledged, ${result.lost} lost`);
for (const line of wrong) {
  say(`✗ ${line}`);
}
process.exit(wrong.length === 0 ? 0 : 1);
