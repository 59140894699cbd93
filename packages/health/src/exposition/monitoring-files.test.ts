// The alert rules and the dashboard for customers' own tools: every query parses, and uses only exposed metrics.
import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { fullyMeasured } from '../testing/cluster.ts';
import { clusterMetrics } from './cluster-metrics.ts';

const infra = new URL('../../../../infra/', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, infra), 'utf8');

/** The metric names in a scrape of these families, each with its labels. */
const exposed = new Map<string, Set<string>>();

for (const { name, samples } of clusterMetrics(fullyMeasured('healthy'))) {
  for (const { suffix, labels } of samples) {
    exposed.set(name + suffix, new Set(Object.keys(labels)));
  }
}
const agentLabels: Readonly<Record<string, string[]>> = {
  penstock_agent_authentications: ['mechanism', 'outcome'],
  penstock_agent_listener_connections: ['listener'],
  penstock_agent_requests: ['api'],
  penstock_agent_produce_stage_seconds: ['stage'],
};
const suffixesOf: Readonly<Record<string, string[]>> = {
  counter: ['_total'],
  gauge: [''],
  info: ['_info'],
  histogram: ['_bucket', '_count', '_sum'],
};
for (const line of read('prometheus/agent-metrics.txt').trimEnd().split('\n')) {
  const [name = '', type = ''] = line.startsWith('#') ? [] : line.split(' ');
  for (const suffix of suffixesOf[type] ?? []) {
    exposed.set(name + suffix, new Set([...(agentLabels[name] ?? []), ...(suffix === '_bucket' ? ['le'] : [])]));
  }
}
/** Prometheus adds this one for every target that it scrapes. */
exposed.set('up', new Set());
const targetLabels = ['job', 'instance'];

interface Query {
  where: string;
  expression: string;
}

interface RuleFile {
  groups: {
    name: string;
    rules: {
      alert: string;
      expr: string;
      for: string;
      labels: Record<string, string>;
      annotations: Record<string, string>;
    }[];
  }[];
}
const ruleFile = parseYaml(read('prometheus/penstock-alerts.yml')) as RuleFile;
const rules = ruleFile.groups.flatMap((group) => group.rules);

interface Dashboard {
  panels: {
    id: number;
    title: string;
    type: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets?: { expr: string }[];
  }[];
  templating: { list: { name: string; definition?: string }[] };
}
const dashboard = JSON.parse(read('grafana/penstock.json')) as Dashboard;

const queries: Query[] = [
  ...rules.map(({ alert, expr }) => ({ where: `alert ${alert}`, expression: expr })),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: `panel ${title}`, expression: expr })),
  ),
];

/** The names in a query: metrics with the labels that it matches, and labels that it groups by. */
function namesIn(expression: string): {
  faults: string[];
  selectors: { metric: string; labels: string[] }[];
  grouping: string[];
} {
  const faults: string[] = [];
  const selectors: { metric: string; labels: string[] }[] = [];
  const grouping: string[] = [];
  const tree = parser.parse(expression);
  tree.iterate({
    enter: (node) => {
      if (node.type.isError) {
        faults.push(`at ${node.from}: ${expression.slice(node.from, node.from + 20)}`);
      }
      if (node.name === 'VectorSelector') {
        selectors.push({ metric: '', labels: [] });
      }
      const current = selectors.at(-1);
      const text = expression.slice(node.from, node.to);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector' && current !== undefined) {
        current.metric = text;
      }
      if (node.name === 'LabelName') {
        if (node.node.parent?.name === 'GroupingLabels') {
          grouping.push(text);
        } else {
          current?.labels.push(text);
        }
      }
    },
  });
  return { faults, selectors, grouping };
}

test('the files contain queries, and a wrong query is detected', () => {
  expect(queries.length).toBeGreaterThan(30);
  expect(namesIn('sum by (api) (rate(penstock_agent_requests_total{api="Produce"}[5m]))')).toEqual({
    faults: [],
    selectors: [{ metric: 'penstock_agent_requests_total', labels: ['api'] }],
    grouping: ['api'],
  });
  expect(namesIn('sum(rate(x[5m])').faults).not.toEqual([]);
});

describe.each(queries.map(({ where, expression }) => [where, expression] as const))('%s', (_where, expression) => {
  test(`uses only exposed metrics: ${expression}`, () => {
    const { faults, selectors, grouping } = namesIn(expression);
    expect(faults).toEqual([]);
    expect(selectors.length).toBeGreaterThan(0);
    const known = new Set(targetLabels);
    for (const { metric, labels } of selectors) {
      const own = exposed.get(metric);
      expect(own, metric).toBeDefined();
      for (const label of labels) {
        expect([...(own ?? []), ...targetLabels], metric).toContain(label);
      }
      for (const label of own ?? []) {
        known.add(label);
      }
    }
    for (const label of grouping) {
      expect([...known]).toContain(label);
    }
  });
});

test('each alert has a unique name, duration, severity and texts', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const { alert, for: lasting, labels, annotations } of rules) {
    expect(alert).toMatch(/^Penstock[A-Z]\w+$/);
    expect(lasting).toMatch(/^\d+[smh]$/);
    expect(['warning', 'critical']).toContain(labels['severity']);
    expect(annotations['summary']?.length).toBeGreaterThan(10);
    expect(annotations['description']?.length).toBeGreaterThan(10);
  }
});

test('dashboard panels do not overlap and use exposed metrics', () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const taken = new Set<string>();
  for (const { gridPos, title } of dashboard.panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(x).toBeLessThan(24);
        expect(taken.has(`${x},${y}`), title).toBe(false);
        taken.add(`${x},${y}`);
      }
    }
  }
  for (const { definition } of dashboard.templating.list) {
    const metric = /^label_values\((\w+), job\)$/.exec(definition ?? '')?.[1];
    if (definition !== undefined) {
      expect(exposed.has(metric ?? ''), definition).toBe(true);
    }
  }
});

test('the scrape example names existing rules and a real URL', () => {
  const example = parseYaml(read('prometheus/scrape-example.yml')) as {
    rule_files: string[];
    scrape_configs: { metrics_path?: string }[];
  };
  expect(example.rule_files).toEqual(['penstock-alerts.yml']);
  expect(example.scrape_configs[0]?.metrics_path).toMatch(/^\/api\/v1\/clusters\/[0-9a-f-]{36}\/metrics$/);
});
