import { describe, expect, test } from 'vitest';
import { agent, type Measured, Watch } from '../testing/cluster.ts';

const two = [agent(1), agent(2)];
const landing: Measured = { counters: { landing_puts: 800, landing_put_bytes: 80_000 } };

function wroteAround(files: number): Measured {
  return { counters: { landing_puts: 4, landing_put_errors: 2, landing_fallbacks: files } };
}

describe('files written around their landing buckets', () => {
  test.each([
    [
      'one agent',
      { 'agent-1': wroteAround(1) },
      { agentId: 'agent-1' },
      'Agent agent-1 wrote 1 file to the standard bucket within ten seconds, because no two landing buckets took it; 1 other agent wrote none there.',
    ],
    [
      'all agents',
      { 'agent-1': wroteAround(12), 'agent-2': wroteAround(28) },
      {},
      'Agents agent-1, agent-2 wrote 40 files to the standard bucket within ten seconds, because no two landing buckets took them.',
    ],
  ])('by %s are one warning that says who and how many', (_who, byAgent, subject, cause) => {
    const watch = new Watch();
    watch.for(60, { agents: two, measured: landing });
    const { verdict } = watch.check({ agents: two, measured: landing, byAgent });
    expect(verdict.level).toBe('degraded');
    expect(verdict.findings).toMatchObject([{ key: 'landing.fallback', severity: 'warning', subject, cause }]);
  });

  // The buckets are tried again every few seconds.
  test('stay one finding until the writes around buckets stop', () => {
    const watch = new Watch();
    watch.for(60, (second) =>
      second % 20 < 10
        ? { agents: two, measured: wroteAround(3), previous: landing }
        : { agents: two, measured: landing, previous: wroteAround(3) },
    );
    expect(watch.notified).toEqual(['+landing.fallback']);
    expect(watch.for(30, { agents: two, measured: landing, previous: landing })).toBeLessThanOrEqual(10);
    expect(watch.notified).toEqual(['+landing.fallback', '-landing.fallback']);
  });

  test('are not resolved by missing reports', () => {
    const watch = new Watch();
    watch.check({ agents: two, measured: wroteAround(3) });
    watch.for(60, { agents: two, measured: undefined });
    expect(watch.notified).toEqual(['+landing.fallback']);
  });

  test('are unknown without landing figures', () => {
    const watch = new Watch();
    watch.for(60, { agents: two, measured: { counters: { object_puts: 40, object_put_bytes: 1_000 } } });
    expect(watch.notified).toEqual([]);
  });
});

test('landing writes alone do not look like a hung bucket', () => {
  const watch = new Watch();
  const busy: Measured = { ...landing, gauges: { files_in_flight: 2 } };
  watch.for(60, { agents: two, measured: busy, previous: busy });
  expect(watch.notified).toEqual([]);
});

describe('a landing bucket that fails', () => {
  const writes: Measured = { counters: { ...landing.counters, landing_put_errors: 1 } };
  const reads: Measured = { counters: { ...landing.counters, landing_gets: 9, landing_get_errors: 9 } };

  test.each([
    [
      'writes of one agent',
      { 'agent-1': writes },
      { agentId: 'agent-1' },
      'Within 20 seconds, 1 write and 0 reads of agent agent-1 failed in a landing bucket; 1 other agent saw no failure.',
    ],
    [
      'reads of all agents',
      { 'agent-1': reads, 'agent-2': reads },
      {},
      'Within 20 seconds, 0 writes and 18 reads of agents agent-1, agent-2 failed in a landing bucket.',
    ],
  ])('is a warning once %s have failed for half a minute', (_what, byAgent, subject, cause) => {
    const watch = new Watch();
    watch.for(20, { agents: two, measured: landing, byAgent });
    expect(watch.notified).toEqual([]);
    watch.for(15, { agents: two, measured: landing, byAgent });
    expect(watch.notified).toEqual(['+landing.failing']);
    expect(watch.last?.verdict.findings).toMatchObject([
      { key: 'landing.failing', severity: 'warning', subject, cause },
    ]);
    watch.for(10, { agents: two, measured: landing });
    expect(watch.notified).toEqual(['+landing.failing', '-landing.failing']);
  });

  test('that failed once is no issue', () => {
    const watch = new Watch();
    watch.for(10, { agents: two, measured: writes, previous: landing });
    watch.for(10, { agents: two, measured: landing, previous: writes });
    watch.for(60, { agents: two, measured: landing, previous: landing });
    expect(watch.notified).toEqual([]);
  });

  test('that is retried every ten seconds stays one issue', () => {
    const watch = new Watch();
    watch.for(120, (second) =>
      second % 20 < 10
        ? { agents: two, measured: writes, previous: landing }
        : { agents: two, measured: landing, previous: writes },
    );
    expect(watch.notified).toEqual(['+landing.failing']);
  });
});

describe('agents without landing buckets', () => {
  const [having, lacking] = [true, false].map((hasLandingBuckets, at) => agent(at + 1, { hasLandingBuckets }));
  const agents = having === undefined || lacking === undefined ? [] : [having, lacking];

  test('are named one by one only in low-latency mode', () => {
    const watch = new Watch();
    watch.for(30, { agents, isLowLatency: true });
    expect(watch.last?.verdict.findings).toMatchObject([
      { severity: 'warning', cause: expect.stringMatching(/^Agent agent-2 has no landing buckets\./) },
    ]);
    watch.for(30, { agents });
    const key = 'agent.no-landing-buckets agentId=agent-2 zone=a';
    expect(watch.notified).toEqual([`+${key}`, `-${key}`]);
  });

  test.each([
    ['of another mode', { agents }],
    ['that have not reported yet', { agents: [agent(1)], isLowLatency: true }],
    [
      'that are gone',
      {
        agents: [agent(1, { hasLandingBuckets: true }), agent(2, { hasLandingBuckets: false, isAlive: false })],
        isLowLatency: true,
      },
    ],
  ])('%s are no issue', (_which, observation) => {
    const watch = new Watch();
    watch.for(30, observation);
    expect(watch.notified).toEqual([]);
  });
});
