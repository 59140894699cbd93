import { errorKey } from '@penstock/telemetry';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newHistory } from './assess.ts';
import type { AgentFacts, Severity } from './model.ts';
import { isOlder } from './rules/agents.ts';
import { ruleIds, ruleTexts } from './rules/catalogue.ts';
import { NOT_THE_CLUSTERS } from './rules/refusals.ts';
import { agent, CHECK_MS, type Measured, type Observation, START_MS, Watch } from './testing/cluster.ts';

const quiet: Observation = { agents: [agent(1), agent(2, { zone: 'b' })] };
const working: Observation = {
  ...quiet,
  measured: { counters: { object_puts: 40, object_put_bytes: 1_000 }, requests: { 0: 100, 1: 100 } },
};

function group(members: number, lagRecords: number): Observation {
  return { ...quiet, groups: [{ groupId: 'g', members, lagRecords }] };
}

const oneRefused: Measured = { requests: { 0: 1 }, errors: new Map([[errorKey(0, 42), 1]]) };

interface Fault {
  rule: string;
  severity: Severity;
  before: Observation;
  fault: Observation | ((second: number) => Observation);
  key?: string;
}

const faults: Fault[] = [
  {
    rule: 'agents.none',
    severity: 'critical',
    before: quiet,
    fault: { agents: [agent(1, { isAlive: false })], measured: undefined },
  },
  { rule: 'agents.none', severity: 'critical', before: quiet, fault: { agents: [] } },
  {
    rule: 'zone.without-agent',
    severity: 'warning',
    before: quiet,
    fault: { agents: [agent(1)] },
    key: 'zone.without-agent zone=b',
  },
  { rule: 'metadata.unreachable', severity: 'critical', before: quiet, fault: { agents: null } },
  { rule: 'metadata.stopped', severity: 'critical', before: quiet, fault: { agents: null, isStopped: true } },
  {
    rule: 'metadata.fault',
    severity: 'critical',
    before: quiet,
    fault: { agents: null, isStopped: true, fault: { seq: 7, command: 'commit-file', sha256: 'ab'.repeat(32) } },
  },
  {
    rule: 'object-store.failing',
    severity: 'critical',
    before: working,
    fault: { ...quiet, measured: { counters: { object_puts: 10, object_put_errors: 10 } } },
  },
  {
    rule: 'object-store.failing',
    severity: 'warning',
    before: working,
    fault: { ...quiet, measured: { counters: { object_gets: 30, object_get_errors: 3 } } },
  },
  {
    rule: 'object-store.failing',
    severity: 'critical',
    before: working,
    fault: { ...quiet, measured: { gauges: { files_in_flight: 2 } }, previous: { gauges: { files_in_flight: 1 } } },
  },
  {
    rule: 'landing.fallback',
    severity: 'warning',
    before: { ...quiet, measured: { counters: { landing_puts: 80, landing_put_bytes: 1_000 } } },
    fault: { ...quiet, measured: { counters: { landing_puts: 2, object_puts: 40, landing_fallbacks: 40 } } },
  },
  {
    rule: 'produce.errors',
    severity: 'critical',
    before: working,
    fault: { ...quiet, measured: { requests: { 0: 20 }, errors: new Map([[errorKey(0, 56), 20]]) } },
  },
  {
    // An agent with a wrong clock, or a cluster that thinks so: every commit is refused as a bad request.
    rule: 'produce.errors',
    severity: 'critical',
    before: working,
    fault: { ...quiet, measured: { requests: { 0: 20 }, errors: new Map([[errorKey(0, 42), 20]]) } },
  },
  {
    // A quiet cluster: one write in each window.
    rule: 'produce.errors',
    severity: 'critical',
    before: working,
    fault: { agents: [agent(1), agent(2, { zone: 'b' })], measured: oneRefused, previous: oneRefused },
  },
  {
    rule: 'fetch.errors',
    severity: 'warning',
    before: working,
    fault: { ...quiet, measured: { requests: { 1: 100 }, errors: new Map([[errorKey(1, -1), 10]]) } },
  },
  {
    rule: 'commit.errors',
    severity: 'warning',
    before: working,
    fault: { ...quiet, measured: { counters: { metadata_errors: 3 } } },
  },
  {
    rule: 'latency.put-above-usual',
    severity: 'warning',
    before: { ...quiet, measured: { latencies_ms: { produce_put: 200 } } },
    fault: { ...quiet, measured: { latencies_ms: { produce_put: 1_500 } } },
  },
  {
    rule: 'latency.commit-above-usual',
    severity: 'warning',
    before: { ...quiet, measured: { latencies_ms: { produce_commit: 10 } } },
    fault: { ...quiet, measured: { latencies_ms: { produce_commit: 150 } } },
  },
  {
    rule: 'consumers.stopped',
    severity: 'warning',
    before: group(2, 10),
    fault: (second) => group(0, 100 + second),
    key: 'consumers.stopped group=g',
  },
  {
    rule: 'agent.version-unsupported',
    severity: 'warning',
    before: quiet,
    fault: { agents: [agent(1), agent(2, { zone: 'b', version: '0.0.9' })] },
    key: 'agent.version-unsupported agentId=agent-2 zone=b',
  },
  {
    rule: 'agent.clock-skew',
    severity: 'warning',
    before: quiet,
    fault: { ...quiet, measured: { gauges: { clock_offset_ms: -4_000 } } },
    key: 'agent.clock-skew agentId=agent-1 zone=a',
  },
  {
    rule: 'agent.no-landing-buckets',
    severity: 'warning',
    before: { agents: [agent(1, { hasLandingBuckets: true })], isLowLatency: true },
    fault: { agents: [agent(1, { hasLandingBuckets: false })], isLowLatency: true },
    key: 'agent.no-landing-buckets agentId=agent-1 zone=a',
  },
  {
    rule: 'metering.impossible',
    severity: 'critical',
    before: quiet,
    fault: { ...quiet, meteringRefusal: { agentId: 'agent-1', commits: 3 } },
    key: 'metering.impossible agentId=agent-1',
  },
  {
    rule: 'metering.unusual',
    severity: 'warning',
    before: quiet,
    fault: { ...quiet, heldHours: 2 },
  },
  {
    rule: 'jobs.not-ordered',
    severity: 'warning',
    before: quiet,
    fault: { ...quiet, jobRefusal: { agentId: 'agent-1', key: 'production', reason: 'No plan.', completions: 3 } },
    key: 'jobs.not-ordered agentId=agent-1',
  },
  {
    rule: 'metadata.memory',
    severity: 'warning',
    before: { ...quiet, memory: { accounts: [{ name: 'groups', heldBytes: 79, limitBytes: 100 }], refusal: null } },
    fault: { ...quiet, memory: { accounts: [{ name: 'groups', heldBytes: 80, limitBytes: 100 }], refusal: null } },
  },
  {
    rule: 'metadata.memory',
    severity: 'critical',
    before: quiet,
    fault: {
      ...quiet,
      memory: { accounts: [], refusal: { atMs: Number.MAX_SAFE_INTEGER, reason: 'It is full.', calls: 3 } },
    },
  },
];

describe.each(faults.map((fault) => [`${fault.rule} (${fault.severity})`, fault] as const))(
  '%s',
  (_name, { rule, severity, before, fault, key = rule }) => {
    test('is raised in 15 s with a remedy and resolved in 10 s, once', () => {
      const watch = new Watch();
      // Long enough to learn the usual latency.
      watch.for(900, before);
      expect(watch.notified).toEqual([]);
      expect(watch.last?.verdict.level).toBe('healthy');

      expect(watch.for(60, fault)).toBeLessThanOrEqual(15);
      const finding = watch.last?.verdict.findings.find((candidate) => candidate.rule === rule);
      expect(finding).toMatchObject({ key, severity });
      expect(finding?.cause).toMatch(/\.$/);
      expect(watch.last?.verdict.level).toBe(
        watch.last?.verdict.findings.some((one) => one.severity === 'critical') ? 'critical' : 'degraded',
      );

      const raised = watch.notified.filter((notice) => notice === `+${key}`);
      expect(raised).toHaveLength(1);
      expect(watch.for(60, before)).toBeLessThanOrEqual(10);
      expect(watch.notified.filter((notice) => notice === `-${key}`)).toHaveLength(1);
      expect(watch.last?.verdict).toMatchObject({ level: 'healthy', findings: [] });
    });
  },
);

test('each rule has a title, a remedy and a test', () => {
  for (const id of ruleIds) {
    expect(ruleTexts[id].title.length).toBeGreaterThan(10);
    expect(ruleTexts[id].remedy.length).toBeGreaterThan(40);
  }
  expect(
    new Set([
      ...faults.map(({ rule }) => rule),
      'landing.failing',
      'lag.growing',
      'bucket.permission',
      'bucket.lifecycle-rule',
    ]),
  ).toEqual(new Set(ruleIds));
});

describe('lag', () => {
  // Despite ups and downs.
  test('that grows for five minutes is found until it falls', () => {
    const watch = new Watch();
    const sawtooth = (second: number): number => second * 10 + (second % 15) * 40;
    const first = watch.for(600, (second) => group(3, sawtooth(second)));
    expect(watch.notified).toEqual(['+lag.growing group=g']);
    expect(first).toBeGreaterThanOrEqual(300);
    expect(first).toBeLessThanOrEqual(420);
    expect(watch.for(30, (second) => group(3, 2_000 - second * 20))).toBeLessThanOrEqual(5);
    expect(watch.notified).toEqual(['+lag.growing group=g', '-lag.growing group=g']);
  });

  test('that goes up and down without growing is not a finding', () => {
    const watch = new Watch();
    watch.for(1_200, (second) => group(3, 1_000 + (second % 240) * 100));
    expect(watch.notified).toEqual([]);
  });

  test('is no finding if a group stopped with nothing to read', () => {
    const watch = new Watch();
    watch.for(60, group(1, 5));
    watch.for(600, group(0, 5));
    expect(watch.notified).toEqual([]);
  });
});

describe('a cluster that refuses all writes', () => {
  /** The rules treat all codes alike, except those caused by the client or requested by the owner. */
  const codes = Array.from({ length: 136 }, (_, index) => index - 1).filter(
    (code) => code !== 0 && !NOT_THE_CLUSTERS.has(code),
  );

  function refused(code: number, requests: number, accepted = 0): Observation {
    const errors = new Map([[errorKey(0, code), requests - accepted]]);
    const counters = { produced_records: accepted };
    return { ...quiet, measured: { requests: { 0: requests }, errors, counters } };
  }

  test.each(codes)('with code %i is critical within 15 s of being seen', (code) => {
    const watch = new Watch();
    watch.for(60, { ...quiet, measured: { requests: { 0: 50 }, counters: { produced_records: 5_000 } } });
    expect(watch.for(30, refused(code, 50))).toBeLessThanOrEqual(15);
    expect(watch.last?.verdict.level).toBe('critical');
    expect(watch.last?.verdict.findings[0]?.cause).toContain(`(${code})`);
  });

  test('is critical even if a few succeed', () => {
    const watch = new Watch();
    watch.for(30, refused(42, 100, 9));
    expect(watch.last?.verdict.level).toBe('critical');
  });

  test('is not found if only one client’s batches are refused', () => {
    const watch = new Watch();
    const errors = new Map([
      [errorKey(0, 42), 100],
      [errorKey(0, 87), 100],
    ]);
    watch.for(60, { ...quiet, measured: { requests: { 0: 200 }, errors, counters: { produced_records: 5_000 } } });
    expect(watch.notified).toEqual([]);
  });

  test.each([...NOT_THE_CLUSTERS])('is not found if a client or the owner caused it with code %i', (code) => {
    const watch = new Watch();
    watch.for(60, refused(code, 100));
    expect(watch.notified).toEqual([]);
  });

  test('names the agent if the other agents accept writes', () => {
    const watch = new Watch();
    const observation: Observation = {
      agents: [agent(1), agent(2)],
      measured: { requests: { 0: 50 }, counters: { produced_records: 5_000 } },
    };
    watch.for(30, observation);
    watch.for(30, {
      ...observation,
      byAgent: { 'agent-2': { requests: { 0: 50 }, errors: new Map([[errorKey(0, 42), 50]]) } },
    });
    expect(watch.last?.verdict.findings).toMatchObject([
      { rule: 'produce.errors', severity: 'warning', subject: { agentId: 'agent-2' } },
    ]);
  });
});

describe('a transient fault raises no alert', () => {
  test.each([
    ['an agent that is replaced at once', { agents: [agent(1)] }, 5],
    ['a takeover between metadata processes', { agents: null }, 10],
    ['a consumer that is restarted', group(0, 500), 5],
  ] satisfies [string, Observation, number][])('%s', (_what, fault, seconds) => {
    const watch = new Watch();
    watch.for(60, { ...group(1, 10) });
    watch.for(seconds, { ...group(1, 10), ...fault });
    watch.for(60, { ...group(1, 10) });
    expect(watch.notified).toEqual([]);
  });

  test('errors that are the client’s own', () => {
    const watch = new Watch();
    const errors = new Map([
      [errorKey(1, 1), 100],
      [errorKey(0, 3), 100],
      [errorKey(0, 44), 100],
    ]);
    watch.for(60, { ...quiet, measured: { requests: { 0: 100, 1: 100 }, errors } });
    expect(watch.notified).toEqual([]);
  });
});

test('a stopped cluster is one finding, outage included', () => {
  const watch = new Watch();
  watch.for(60, quiet);
  watch.for(60, { agents: null, isStopped: true });
  expect(watch.notified).toEqual(['+metadata.stopped']);
});

test('a condition that flaps is one finding', () => {
  const watch = new Watch();
  watch.for(60, working);
  const failed = (share: number): Observation => ({
    ...quiet,
    measured: { counters: { object_puts: 100, object_put_errors: share } },
  });
  watch.for(120, (second) => failed(second % 10 === 0 ? 6 : 4));
  expect(watch.notified).toEqual(['+object-store.failing']);
});

test('keeps findings as they are when agents stop reporting', () => {
  const watch = new Watch();
  watch.for(60, working);
  watch.for(30, { ...quiet, measured: { counters: { object_puts: 10, object_put_errors: 10 } } });
  watch.for(60, { ...quiet, measured: undefined });
  expect(watch.notified).toEqual(['+object-store.failing']);
});

test('slow latency becomes usual after half an hour', () => {
  const watch = new Watch();
  watch.for(3_600, { ...quiet, measured: { latencies_ms: { produce_put: 200 } } });
  watch.for(2_400, { ...quiet, measured: { latencies_ms: { produce_put: 1_500 } } });
  expect(watch.notified).toEqual(['+latency.put-above-usual', '-latency.put-above-usual']);
});

test('alarms only while a cluster recently had agents', () => {
  const watch = new Watch();
  watch.for(60, { agents: [] });
  expect(watch.last?.verdict.level).toBe('waiting');
  watch.check({ agents: [agent(1)] });
  watch.for(60, { agents: [] });
  expect(watch.last?.verdict.level).toBe('critical');
  watch.nowMs += 24 * 3_600_000;
  watch.check({ agents: [] });
  expect(watch.last?.verdict).toMatchObject({ level: 'waiting', findings: [] });
});

test('tells visible changes from history and from no change', () => {
  const measured = { ...quiet, measured: { latencies_ms: { produce_put: 200 } } };
  const watch = new Watch();
  expect(watch.check(measured).change).toBe('notify');
  expect(watch.check(measured).change).toBe('none');
  watch.nowMs += 60_000;
  expect(watch.check(measured).change).toBe('memory');
  const pending = watch.check({ agents: [agent(1, { isAlive: false }), agent(2)] });
  expect([pending.change, pending.raised]).toEqual(['notify', []]);
});

test('logs agents one by one, but a thousand as one event', () => {
  const watch = new Watch();
  expect(watch.check({ agents: [agent(1), agent(2)] }).occurrences.map(({ type }) => type)).toEqual([
    'agent.joined',
    'agent.joined',
  ]);
  expect(watch.check({ agents: [agent(2)] }).occurrences).toMatchObject([
    { type: 'agent.left', text: expect.stringContaining('Agent 1') },
  ]);
  const thousand = Array.from({ length: 1_000 }, (_, index) => agent(index + 10));
  expect(watch.check({ agents: thousand }).occurrences).toMatchObject([{ type: 'agents.changed', agent: null }]);
});

test('logs lost, returned and replaced agents as such', () => {
  const watch = new Watch();
  const first = agent(1, { address: '10.0.0.1:9092' });
  watch.check({ agents: [first] });
  expect(watch.check({ agents: [{ ...first, isAlive: false, isLost: true }] }).occurrences).toMatchObject([
    { type: 'agent.lost', text: 'Agent 1 in zone a is lost. It stopped responding.' },
  ]);
  watch.check({ agents: null });
  expect(watch.check({ agents: [first] }).occurrences).toMatchObject([
    { type: 'agent.back', text: 'Agent 1 in zone a is back.' },
  ]);
  const left = { ...first, isAlive: false };
  const second = agent(2, { address: '10.0.0.1:9092', version: '0.2.0', zone: 'b' });
  expect(watch.check({ agents: [left, second] }).occurrences).toMatchObject([
    {
      type: 'agent.joined',
      replaced: { nodeId: 1 },
      text: 'Agent 2 in zone b joined, version 0.2.0, replacing agent 1, which was version 0.1.0 and zone a.',
    },
    { type: 'agent.left', text: 'Agent 1 in zone a left.' },
  ]);
});

test.each([
  ['0.0.9', true],
  ['0.1.0', false],
  ['0.1.0-rc.1', false],
  ['v0.2.0', false],
  ['1.0.0', false],
  ['', undefined],
  ['latest', undefined],
])('version %s compared with 0.1.0', (version, expected) => {
  expect(isOlder(version, '0.1.0')).toBe(expected);
});

describe('random sequences', () => {
  const anyAgents: fc.Arbitrary<AgentFacts[]> = fc
    .uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 })
    .chain((ids) =>
      fc.tuple(
        ...ids.map((id) =>
          fc.record({ isAlive: fc.boolean(), zone: fc.constantFrom('', 'a', 'b') }).map((facts) => agent(id, facts)),
        ),
      ),
    );
  const anyObservation: fc.Arbitrary<Observation> = fc.record({
    agents: fc.option(anyAgents, { nil: null, freq: 6 }),
    groups: fc.array(fc.record({ groupId: fc.constantFrom('g', 'h'), members: fc.nat(2), lagRecords: fc.nat(5_000) }), {
      maxLength: 1,
    }),
    measured: fc.option(
      fc.record({
        counters: fc.record({ object_puts: fc.nat(50), object_put_errors: fc.nat(50), metadata_errors: fc.nat(5) }),
        gauges: fc.record({ files_in_flight: fc.nat(2), clock_offset_ms: fc.integer({ min: -5_000, max: 5_000 }) }),
        latencies_ms: fc.record({ produce_put: fc.integer({ min: 1, max: 20_000 }) }),
      }),
      { nil: undefined },
    ),
  });

  // Open findings give the verdict.
  test('raises and resolves alternately and repeatably', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(anyObservation, fc.integer({ min: 1, max: 8 })), { maxLength: 25 }),
        (stretches) => {
          const run = () => {
            const watch = new Watch();
            for (const [observation, times] of stretches) {
              watch.for((times * CHECK_MS) / 1_000, observation);
              const open = new Set(watch.last?.verdict.findings.map(({ key }) => key));
              const byNotice = new Set<string>();
              for (const notice of watch.notified) {
                expect(byNotice.has(notice.slice(1))).toBe(notice.startsWith('-'));
                if (notice.startsWith('+')) {
                  byNotice.add(notice.slice(1));
                } else {
                  byNotice.delete(notice.slice(1));
                }
              }
              expect(open).toEqual(byNotice);
              const hasCritical = watch.last?.verdict.findings.some(({ severity }) => severity === 'critical') === true;
              expect(watch.last?.verdict.level === 'critical').toBe(hasCritical);
              expect(watch.last?.verdict.sinceMs).toBeLessThanOrEqual(watch.nowMs);
            }
            return JSON.stringify([watch.notified, watch.history]);
          };
          expect(run()).toBe(run());
        },
      ),
      { numRuns: 60 },
    );
  });

  test('after a calm period nothing is open', () => {
    fc.assert(
      fc.property(fc.array(anyObservation, { maxLength: 20 }), (observations) => {
        const watch = new Watch();
        for (const observation of observations) {
          watch.check(observation);
        }
        watch.nowMs += 3_600_000;
        watch.for(60, { agents: [agent(1)] });
        expect(watch.last?.verdict.findings).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

test('a history of a thousand agents and groups stays small', () => {
  const watch = new Watch();
  const agents = Array.from({ length: 1_000 }, (_, index) => agent(index + 1, { zone: `z${index % 3}` }));
  const groups = Array.from({ length: 1_000 }, (_, index) => ({
    groupId: `group-${index}`,
    members: 1,
    lagRecords: index,
  }));
  for (let minute = 0; minute < 8; minute += 1) {
    watch.check({ agents, groups });
    watch.nowMs += 55_000;
  }
  expect(JSON.stringify(watch.history).length).toBeLessThan(64_000);
  expect(newHistory(START_MS)).toMatchObject({ version: 1, level: 'waiting' });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a group and a zone may be named %s', (name) => {
  const watch = new Watch();
  const agents = [agent(1), agent(2, { zone: name })];
  const lag = (members: number, lagRecords: number): Observation => ({
    agents,
    groups: [{ groupId: name, members, lagRecords }],
  });
  watch.for(600, (second) => lag(3, 10_000 + second * 100));
  expect(watch.notified).toEqual([`+lag.growing group=${name}`]);
  watch.for(600, lag(1, 5));
  watch.for(600, lag(0, 100));
  expect(watch.notified.slice(1)).toEqual([`-lag.growing group=${name}`, `+consumers.stopped group=${name}`]);
  watch.for(600, { ...lag(1, 0), agents: [agent(1)] });
  expect(watch.notified.at(-1)).toBe(`+zone.without-agent zone=${name}`);
});
