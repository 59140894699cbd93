// The guarantees for a tenant next to a hostile one. Latency is printed but not checked, because it depends on the
// machine. Stalls are measured in CPU time, so only the speed of the machine matters: the target is 100 ms, and the
// limit five times as much.
import { METADATA_MEMORY_MIB, type Result } from './fault-run.ts';

const MAX_STALL_MS = 500;

export function judge({ phases, lost, deaths, defects }: Result): string[] {
  const wrong: string[] = [];
  if (lost > 0) {
    wrong.push(`${lost} acknowledged records were not read`);
  }
  for (const { name, felt, service, attack } of phases) {
    if (attack !== undefined && attack.steps === 0) {
      wrong.push(`${name}: the attacker did nothing`);
    }
    if (felt.failed > 0) {
      wrong.push(`${name}: ${felt.failed} records of the other tenant failed`);
    }
    if (service.longest_stall_ms > MAX_STALL_MS) {
      wrong.push(`${name}: the metadata process computed for ${service.longest_stall_ms.toFixed(0)} ms at a time`);
    }
    if (service.peak_mib > METADATA_MEMORY_MIB) {
      wrong.push(`${name}: the metadata process held ${service.peak_mib.toFixed(0)} of its ${METADATA_MEMORY_MIB} MiB`);
    }
    if (service.given_up > 0) {
      wrong.push(`${name}: ${service.given_up} agents of the other tenant were given up`);
    }
  }
  return [...wrong, ...deaths, ...defects];
}
