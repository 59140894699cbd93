// The operator's alert rules and dashboard: every query uses only what the programs expose, each rule has its runbook, stays
// silent while all is well, and fires when its fault is there. Counters and durations come from the programs' own meters;
// readings of memory, clocks and pools are made up, because their faults cannot be caused cheaply.
import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Code, ConnectError } from '@connectrpc/connect';
import { counter, type Family, gauge, poolFamilies, processFamilies, renderOpenMetrics } from '@penstock/telemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { CommitTimes } from '../../apps/metadata/src/owners/commit-times.ts';
import { RpcMeter } from '../../apps/metadata/src/rpc/rpc-meter.ts';
import { type MetadataServer, startServer } from '../../apps/metadata/src/server.ts';
import { silentLogger } from '../../apps/metadata/src/testing/cluster-fixture.ts';
import { ControlPlaneFixture } from '../../apps/metadata/src/testing/control-plane-fixture.ts';
import { testSettings } from '../../apps/metadata/src/testing/test-server.ts';
import { RequestMeter } from '../../apps/web/server/request-meter.ts';
import type { Backlog } from '../../apps/worker/src/read-backlog.ts';
import { JobMeter, workerFamilies } from '../../apps/worker/src/worker-metrics.ts';
import { durationMs, evaluate, type Series } from './support/promql.ts';

const infra = new URL('../../infra/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, infra), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}
const { groups } = parseYaml(read('prometheus/operator-alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('grafana/penstock-operator.json')) as {
  panels: { title: string; targets?: { expr: string }[] }[];
};

const STEP_MS = 60_000;
/** Longer than the longest range of a rule. */
const STEPS = 7 * 60;

/** The control plane as its meters see it. Each step is a minute; a fault changes what happens in one. */
class World {
  isUp = { web: 1, worker: 1, metadata: 1 };
  failedCommits = 0;
  slowCommitMs = 0;
  failedAppends = 0;
  failedRequests = 0;
  requestMs = 40;
  stallSeconds = 0.02;
  waiting = 0;
  clockErrorSeconds = 0.01;
  usedBytes = 100;
  quarantinedPerMinute = 0;
  lagSeconds = 8;
  runningSeconds = 1;
  backlog: Backlog = {
    dueJobs: [{ task: 'fold-cluster', count: 3, oldestSeconds: 2 }],
    failedJobs: [{ task: 'deliver-webhook', count: 0 }],
    outboxes: ['mail', 'webhook', 'stripe'].map((outbox) => ({
      outbox,
      waiting: 1,
      oldestSeconds: 5,
      failedInLastDay: 0,
    })),
    stoppedClusters: 0,
  };
  #nowMs = 0;
  #quarantined = 0;
  readonly #rpc = new RpcMeter(() => this.#nowMs);
  readonly #commits = new CommitTimes();
  readonly #requests = new RequestMeter({
    trustedProxies: [],
    monotonicMs: () => this.#nowMs,
    writeAccess: undefined,
  });
  readonly #jobEvents = new EventEmitter();
  readonly #jobs = new JobMeter(this.#jobEvents, () => this.#nowMs);

  async step(): Promise<void> {
    for (let call = 0; call < 100; call += 1) {
      const failure = call < this.failedCommits ? new ConnectError('no owner', Code.Unavailable) : undefined;
      await this.#rpc
        .measure('CommitFile', () => (failure === undefined ? Promise.resolve() : Promise.reject(failure)))
        .catch(() => undefined);
      this.#commits.appended(4, call >= this.failedAppends);
      this.#commits.committed(call < 3 && this.slowCommitMs > 0 ? this.slowCommitMs : 8);
      this.#request(call < this.failedRequests ? 500 : 200);
    }
    this.#quarantined += this.quarantinedPerMinute;
    const job = { id: '1', task_identifier: 'fold-cluster' };
    this.#jobEvents.emit('job:start', { job });
    this.#jobEvents.emit('job:complete', { job, error: undefined });
  }

  scrape(): Record<'web' | 'worker' | 'metadata', string> {
    const pool = { totalCount: 4, idleCount: 1, waitingCount: this.waiting, options: { max: 10 } };
    const delay = { p99Seconds: this.stallSeconds, longestSeconds: this.stallSeconds };
    const usage = { residentBytes: 1, cpuSeconds: 1, delay };
    return {
      web: renderOpenMetrics([
        ...this.#requests.families(),
        ...poolFamilies('penstock_web', [{ name: 'tenants', ...pool }]),
        ...processFamilies('penstock_web', usage),
      ]),
      worker: renderOpenMetrics(
        workerFamilies({
          meter: this.#jobs,
          jobs: {
            running: [
              {
                id: '1',
                task: 'fold-cluster',
                key: null,
                attempt: 1,
                lockedBy: null,
                startedMs: -this.runningSeconds * 1_000,
              },
            ],
          },
          metering: { lagSeconds: this.lagSeconds },
          backlog: this.backlog,
          pools: [{ name: 'worker', ...pool }],
          usage,
          monotonicMs: 0,
        }),
      ),
      metadata: renderOpenMetrics([...this.#rpc.families(), ...this.#commits.families(), ...this.#readings()]),
    };
  }

  #readings(): Family[] {
    return [
      gauge('penstock_metadata_event_loop_stall_p99_seconds', '', [{ value: this.stallSeconds }]),
      gauge('penstock_metadata_database_waiting', '', [
        { labels: { pool: 'appends', cell: 'main' }, value: this.waiting },
      ]),
      gauge('penstock_metadata_clock_error_seconds', '', [{ value: this.clockErrorSeconds }]),
      gauge('penstock_metadata_memory_used_bytes', '', [{ value: this.usedBytes }]),
      gauge('penstock_metadata_memory_limit_bytes', '', [{ value: 1_000 }]),
      counter('penstock_metadata_quarantined_commands', '', [{ value: this.#quarantined }]),
    ];
  }

  #request(statusCode: number): void {
    const request = { method: 'GET', url: '/app', headers: {} } as IncomingMessage;
    const response = Object.assign(new EventEmitter(), {
      statusCode,
      writableFinished: true,
      getHeader: () => undefined,
    });
    this.#requests.follow(request, response as unknown as ServerResponse);
    this.#nowMs += this.requestMs;
    response.emit('close');
  }
}

/** The fault behind each alert. */
const faults: Readonly<Record<string, (world: World) => void>> = {
  PenstockCommitErrorsFast: (world) => {
    world.failedCommits = 2;
  },
  PenstockCommitErrorsSlow: (world) => {
    world.failedCommits = 1;
  },
  PenstockCommitSlow: (world) => {
    world.slowCommitMs = 800;
  },
  PenstockDashboardErrorsFast: (world) => {
    world.failedRequests = 3;
  },
  PenstockDashboardErrorsSlow: (world) => {
    world.failedRequests = 1;
  },
  PenstockDashboardSlow: (world) => {
    world.requestMs = 4_000;
  },
  PenstockMeteringLate: (world) => {
    world.lagSeconds = 600;
  },
  PenstockWebDown: (world) => {
    world.isUp.web = 0;
  },
  PenstockWorkerDown: (world) => {
    world.isUp.worker = 0;
  },
  PenstockMetadataDown: (world) => {
    world.isUp.metadata = 0;
  },
  PenstockWebStalls: (world) => {
    world.stallSeconds = 2;
  },
  PenstockWorkerStalls: (world) => {
    world.stallSeconds = 2;
  },
  PenstockMetadataStalls: (world) => {
    world.stallSeconds = 2;
  },
  PenstockWebConnectionsShort: (world) => {
    world.waiting = 3;
  },
  PenstockWorkerConnectionsShort: (world) => {
    world.waiting = 3;
  },
  PenstockMetadataConnectionsShort: (world) => {
    world.waiting = 3;
  },
  PenstockJobsLate: (world) => {
    world.backlog.dueJobs = [{ task: 'deliver-mail', count: 1, oldestSeconds: 900 }];
  },
  PenstockJobHangs: (world) => {
    world.runningSeconds = 1_800;
  },
  PenstockJobsGivenUp: (world) => {
    world.backlog.failedJobs = [{ task: 'purge-clusters', count: 1 }];
  },
  PenstockOutboxLate: (world) => {
    world.backlog.outboxes = [{ outbox: 'mail', waiting: 9, oldestSeconds: 7_200, failedInLastDay: 0 }];
  },
  PenstockOutboxGivenUp: (world) => {
    world.backlog.outboxes = [{ outbox: 'stripe', waiting: 0, oldestSeconds: 0, failedInLastDay: 1 }];
  },
  PenstockClusterStopped: (world) => {
    world.backlog.stoppedClusters = 1;
  },
  PenstockAppendFails: (world) => {
    world.failedAppends = 5;
  },
  PenstockMetadataClock: (world) => {
    world.clockErrorSeconds = -3;
  },
  PenstockMetadataMemory: (world) => {
    world.usedBytes = 700;
  },
  PenstockCommandQuarantined: (world) => {
    world.quarantinedPerMinute = 1;
  },
};

/** Seven hours of scrapes. */
async function history(fault: (world: World) => void): Promise<Series[]> {
  const world = new World();
  fault(world);
  const series = new Map<string, Series>();
  const add = (name: string, labels: Record<string, string>, atMs: number, value: number): void => {
    const key = JSON.stringify([name, labels]);
    const known = series.get(key) ?? { name, labels, samples: [] };
    known.samples.push({ atMs, value });
    series.set(key, known);
  };
  for (let step = 1; step <= STEPS; step += 1) {
    await world.step();
    const atMs = step * STEP_MS;
    for (const [program, text] of Object.entries(world.scrape())) {
      const target = { job: `penstock-${program}`, instance: `${program}-1` };
      add('up', target, atMs, Reflect.get(world.isUp, program));
      for (const { name, labels, value } of samplesOf(text)) {
        add(name, { ...labels, ...target }, atMs, value);
      }
    }
  }
  return [...series.values()];
}

function samplesOf(text: string): { name: string; labels: Record<string, string>; value: number }[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labelText = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) {
      return [];
    }
    const labels = Object.fromEntries([...labelText.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
    return [{ name, labels, value: Number(value) }];
  });
}

/** Whether the rule has held for its whole duration at the end. */
function fires({ expr, for: lasting }: Rule, series: readonly Series[]): boolean {
  const endMs = STEPS * STEP_MS;
  for (let atMs = endMs - durationMs(lasting); atMs <= endMs; atMs += STEP_MS / 4) {
    if (evaluate(expr, series, atMs).length === 0) {
      return false;
    }
  }
  return true;
}

let controlPlane: ControlPlaneFixture;
let server: MetadataServer;
/** Names and labels in real expositions. */
const exposed = new Map<string, Set<string>>();

beforeAll(async () => {
  controlPlane = await ControlPlaneFixture.create();
  server = await startServer(testSettings(controlPlane.database.ownerUrl), silentLogger);
  const metadata = await (await fetch(`${server.httpUrl}/metrics`)).text();
  const world = new World();
  await world.step();
  const { web, worker, metadata: meters } = world.scrape();
  // A histogram without samples has only its type line, and its labels are those of the meter.
  const types = new Map([...metadata.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name, type]));
  const isHistogram = (name: string): boolean => types.get(name.replace(/_(bucket|count|sum)$/, '')) === 'histogram';
  const measured = samplesOf(meters).filter(({ name }) => isHistogram(name));
  for (const { name, labels } of [...samplesOf(metadata), ...samplesOf(web), ...samplesOf(worker), ...measured]) {
    const known = exposed.get(name) ?? new Set(['job', 'instance']);
    exposed.set(name, new Set([...known, ...Object.keys(labels)]));
  }
  exposed.set('up', new Set(['job', 'instance']));
});

afterAll(async () => {
  await server?.close();
  await controlPlane?.drop();
});

const queries = [
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
];

test.each(queries)('%s uses only exposed metrics', (_where, expr) => {
  const selectors = [...expr.matchAll(/\b((?:penstock|process)_\w+|up)\b(?:\{([^}]*)\})?/g)];
  expect(selectors.length).toBeGreaterThan(0);
  const allowed = new Set(selectors.flatMap(([, name = '']) => [...(exposed.get(name) ?? [])]));
  for (const [, name = '', matchers = ''] of selectors) {
    expect([...exposed.keys()], expr).toContain(name);
    for (const [, label] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) {
      expect([...(exposed.get(name) ?? [])], `${name}{${label}}`).toContain(label);
    }
  }
  for (const [, labels = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of labels.split(',')) {
      expect([...allowed], expr).toContain(label.trim());
    }
  }
});

test('each rule has a unique name, severity, texts and a runbook', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const sections = new Set([...read('docs/alerts.md').matchAll(/^### (Penstock\w+)$/gm)].map(([, name]) => name));
  expect([...sections].sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(labels['severity']);
    expect(annotations['summary']?.length).toBeGreaterThan(10);
    expect(annotations['description']?.length).toBeGreaterThan(10);
    expect(annotations['runbook']).toBe(`infra/docs/alerts.md#${alert.toLowerCase()}`);
  }
});

test('the scrape example has the jobs that rules name', () => {
  const example = parseYaml(read('prometheus/operator-scrape-example.yml')) as {
    rule_files: string[];
    scrape_configs: { job_name: string }[];
  };
  expect(example.rule_files).toEqual(['operator-alerts.yml']);
  const jobs = example.scrape_configs.map(({ job_name }) => job_name);
  for (const { expr } of rules) {
    for (const [, job] of expr.matchAll(/job="([^"]+)"/g)) {
      expect(jobs).toContain(job);
    }
  }
});

test('no rule fires while all is well', async () => {
  const series = await history(() => undefined);
  expect(rules.filter((rule) => fires(rule, series)).map(({ alert }) => alert)).toEqual([]);
});

describe('each rule fires when its fault is there', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))('%s', async (alert, rule) => {
    const fault = faults[alert];
    expect(fault, 'every rule has a fault').toBeDefined();
    expect(fires(rule, await history(fault ?? (() => undefined)))).toBe(true);
  });
});
