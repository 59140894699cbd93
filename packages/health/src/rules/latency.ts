// Compares latencies with what is usual for the same cluster; see usual-latency.ts.
import { p95Of } from '../facts.ts';
import type { History } from '../model.ts';
import { COMMIT_LIMITS, LATENCY_RAISE_MS, PUT_LIMITS } from '../thresholds.ts';
import { limitOf } from '../usual-latency.ts';
import type { RuleId } from './catalogue.ts';
import { duration, type Rule } from './rule.ts';

function aboveUsual(
  id: RuleId,
  stage: 'produce_put' | 'produce_commit',
  memory: 'put' | 'commit',
  limits: { unlearned_ms: number; least_ms: number },
): Rule {
  const words = memory === 'put' ? 'writes to object storage' : 'commits';
  return {
    id,
    raiseAfterMs: LATENCY_RAISE_MS,
    clearAfterMs: 0,
    observe({ together, history }) {
      if (together === null) {
        return 'unknown';
      }
      const p95Ms = p95Of(together, stage);
      const {
        usual_ms: usualMs,
        raise_ms: raiseMs,
        clear_ms: clearMs,
      } = limitOf((history satisfies History)[memory], limits);
      if (p95Ms === null || p95Ms <= clearMs) {
        return [];
      }
      const usual =
        usualMs === null
          ? 'there isn’t enough data to know the usual value'
          : `the usual value is ${duration(usualMs)}`;
      return [
        {
          subject: {},
          severity: 'warning',
          strength: p95Ms > raiseMs ? 'bad' : 'fading',
          cause: `In the last ten seconds, 5% of ${words} took ${duration(p95Ms)} or longer; ${usual}, and the limit is ${duration(raiseMs)}.`,
        },
      ];
    },
  };
}

export const putAboveUsual = aboveUsual('latency.put-above-usual', 'produce_put', 'put', PUT_LIMITS);
export const commitAboveUsual = aboveUsual('latency.commit-above-usual', 'produce_commit', 'commit', COMMIT_LIMITS);
