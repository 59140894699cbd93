// What must hold beside a hostile tenant. Latency is printed and not judged: it depends on the machine.
import type { Result } from './fault-run.ts';

export function judge({ phases, lost, deaths }: Result): string[] {
  const wrong: string[] = [];
  if (lost > 0) {
    wrong.push(`${lost} acknowledged records were not read`);
  }
  for (const { name, felt, service } of phases) {
    if (felt.failed > 0) {
      wrong.push(`${name}: ${felt.failed} records of the other tenant failed`);
    }
    if (service.given_up > 0) {
      wrong.push(`${name}: ${service.given_up} agents of the other tenant were given up`);
    }
  }
  return [...wrong, ...deaths];
}
