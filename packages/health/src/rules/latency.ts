// Latencies against what is usual for this very cluster; see usual-latency.ts for what that means.
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
    raiseAfter_ms: LATENCY_RAISE_MS,
    clearAfter_ms: 0,
    observe({ together, history }) {
      if (together === null) return 'unknown';
      const p95_ms = p95Of(together, stage);
      const { usual_ms, raise_ms, clear_ms } = limitOf((history satisfies History)[memory], limits);
      if (p95_ms === null || p95_ms <= clear_ms) return [];
      const usual =
        usual_ms === null
          ? 'there isn’t enough data to know the usual value'
          : `the usual value is ${duration(usual_ms)}`;
      return [
        {
          subject: {},
          severity: 'warning',
          strength: p95_ms > raise_ms ? 'bad' : 'fading',
          cause: `In the last ten seconds, 5% of ${words} took ${duration(p95_ms)} or longer; ${usual}, and the limit is ${duration(raise_ms)}.`,
        },
      ];
    },
  };
}

export const putAboveUsual = aboveUsual('latency.put-above-usual', 'produce_put', 'put', PUT_LIMITS);
export const commitAboveUsual = aboveUsual('latency.commit-above-usual', 'produce_commit', 'commit', COMMIT_LIMITS);
