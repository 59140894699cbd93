// As much of PromQL as our rules use, evaluated over scrapes that a test makes up: selectors, rate and increase,
// aggregations, arithmetic, comparisons, `and`, histogram_quantile. Anything else throws.
// https://prometheus.io/docs/prometheus/latest/querying/
import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];
type Labels = Readonly<Record<string, string>>;

export interface Series {
  name: string;
  labels: Labels;
  /** In the order of their times. */
  samples: { atMs: number; value: number }[];
}

interface Element {
  labels: Labels;
  value: number;
}
type Value = number | Element[];

/** A sample older than this is not the current one. */
const LOOKBACK_MS = 5 * 60_000;
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function durationMs(text: string): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  return Number(count) * (unitMs[unit ?? ''] ?? Number.NaN);
}

/** The elements that an instant query returns. */
export function evaluate(query: string, series: readonly Series[], atMs: number): Element[] {
  const { topNode } = parser.parse(query);
  const [root] = childrenOf(topNode);
  if (root === undefined) {
    throw new Error(`no query: ${query}`);
  }
  return vectorOf(new Evaluation(query, series, atMs).value(root));
}

class Evaluation {
  readonly #query: string;
  readonly #series: readonly Series[];
  readonly #atMs: number;

  constructor(query: string, series: readonly Series[], atMs: number) {
    this.#query = query;
    this.#series = series;
    this.#atMs = atMs;
  }

  value(node: SyntaxNode): Value {
    switch (node.name) {
      case 'ParenExpr':
        return this.value(only(node));
      case 'NumberDurationLiteral':
        return Number(this.#text(node));
      case 'VectorSelector':
        return this.#select(node).flatMap(({ labels, samples }) => {
          const last = samples.findLast(({ atMs }) => atMs <= this.#atMs);
          return last === undefined || last.atMs < this.#atMs - LOOKBACK_MS ? [] : [{ labels, value: last.value }];
        });
      case 'FunctionCall':
        return this.#call(node);
      case 'AggregateExpr':
        return this.#aggregate(node);
      case 'BinaryExpr':
        return this.#binary(node);
      default:
        throw new Error(`${node.name} is not supported: ${this.#text(node)}`);
    }
  }

  #text({ from, to }: SyntaxNode): string {
    return this.#query.slice(from, to);
  }

  #select(node: SyntaxNode): Series[] {
    const name = this.#text(required(node, 'Identifier'));
    const matchers = descendants(node, ['UnquotedLabelMatcher']).map((matcher) => {
      const [label, operator, text] = childrenOf(matcher).map((child) => this.#text(child));
      return { label: label ?? '', operator, value: String(JSON.parse(text ?? '""')) };
    });
    return this.#series.filter(
      (one) =>
        one.name === name &&
        matchers.every(({ label, operator, value }) => {
          const own = one.labels[label] ?? '';
          const isMatch = operator?.includes('~') === true ? new RegExp(`^(?:${value})$`).test(own) : own === value;
          return operator?.startsWith('!') === true ? !isMatch : isMatch;
        }),
    );
  }

  #call(node: SyntaxNode): Value {
    const name = this.#text(required(node, 'FunctionIdentifier'));
    const args = childrenOf(required(node, 'FunctionCallBody'));
    const [first, second] = args;
    if (first === undefined) {
      throw new Error(`${name} has no argument`);
    }
    if (name === 'rate' || name === 'increase') {
      return this.#increase(first, name === 'rate');
    }
    if (name === 'abs') {
      return vectorOf(this.value(first)).map(({ labels, value }) => ({ labels, value: Math.abs(value) }));
    }
    if (name === 'histogram_quantile' && second !== undefined) {
      return quantiles(Number(this.value(first)), vectorOf(this.value(second)));
    }
    throw new Error(`${name} is not supported`);
  }

  /** Without Prometheus's extrapolation to the ends of the range. */
  #increase(range: SyntaxNode, isRate: boolean): Element[] {
    const rangeMs = durationMs(this.#text(required(range, 'NumberDurationLiteralInDurationContext')));
    return this.#select(required(range, 'VectorSelector')).flatMap(({ labels, samples }) => {
      const within = samples.filter(({ atMs }) => atMs > this.#atMs - rangeMs && atMs <= this.#atMs);
      const [first] = within;
      const last = within.at(-1);
      if (first === undefined || last === undefined || first === last) {
        return [];
      }
      let increase = 0;
      let before = first.value;
      for (const { value } of within) {
        // A counter that restarts begins at zero.
        increase += value >= before ? value - before : value;
        before = value;
      }
      return [{ labels, value: isRate ? increase / ((last.atMs - first.atMs) / 1_000) : increase }];
    });
  }

  #aggregate(node: SyntaxNode): Element[] {
    const [operator, ...rest] = childrenOf(node);
    const body = rest.find(({ name }) => name === 'FunctionCallBody');
    const grouping = rest.find(({ name }) => name === 'AggregateModifier');
    if (
      operator === undefined ||
      body === undefined ||
      (grouping !== undefined && !this.#text(grouping).startsWith('by'))
    ) {
      throw new Error(`not supported: ${this.#text(node)}`);
    }
    const names = grouping === undefined ? [] : descendants(grouping, ['LabelName']).map((label) => this.#text(label));
    const groups = Map.groupBy(vectorOf(this.value(only(body))), ({ labels }) => keyOf(pick(labels, names)));
    return [...groups.values()].map((group) => {
      const values = group.map(({ value }) => value);
      const labels = pick(group[0]?.labels ?? {}, names);
      switch (this.#text(operator)) {
        case 'sum':
          return { labels, value: values.reduce((sum, value) => sum + value, 0) };
        case 'max':
          return { labels, value: Math.max(...values) };
        case 'min':
          return { labels, value: Math.min(...values) };
        default:
          throw new Error(`${this.#text(operator)} is not supported`);
      }
    });
  }

  #binary(node: SyntaxNode): Value {
    const [leftNode, operatorNode, rightNode, more] = childrenOf(node);
    if (leftNode === undefined || operatorNode === undefined || rightNode === undefined || more !== undefined) {
      throw new Error(`not supported: ${this.#text(node)}`);
    }
    const operator = this.#text(operatorNode);
    const [left, right] = [this.value(leftNode), this.value(rightNode)];
    if (operator === 'and') {
      const keys = new Set(vectorOf(right).map(({ labels }) => keyOf(labels)));
      return vectorOf(left).filter(({ labels }) => keys.has(keyOf(labels)));
    }
    if (typeof left === 'number' && typeof right === 'number') {
      return arithmetic(operator, left, right);
    }
    const others = typeof right === 'number' ? undefined : new Map(right.map((one) => [keyOf(one.labels), one.value]));
    const pairs =
      typeof left === 'number'
        ? vectorOf(right).map(({ labels, value }) => ({ labels, one: left, other: value }))
        : left.flatMap(({ labels, value }) => {
            const other = others === undefined ? Number(right) : others.get(keyOf(labels));
            return other === undefined ? [] : [{ labels, one: value, other }];
          });
    const compare = comparisons[operator];
    return compare === undefined
      ? pairs.map(({ labels, one, other }) => ({ labels, value: arithmetic(operator, one, other) }))
      : pairs.filter(({ one, other }) => compare(one, other)).map(({ labels, one }) => ({ labels, value: one }));
  }
}

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>': (one, other) => one > other,
  '<': (one, other) => one < other,
  '==': (one, other) => one === other,
};

function arithmetic(operator: string, one: number, other: number): number {
  switch (operator) {
    case '+':
      return one + other;
    case '-':
      return one - other;
    case '*':
      return one * other;
    case '/':
      return one / other;
    default:
      throw new Error(`${operator} is not supported`);
  }
}

/** Interpolates within the bucket, as Prometheus does. */
function quantiles(quantile: number, buckets: readonly Element[]): Element[] {
  const groups = Map.groupBy(buckets, ({ labels: { le: _bound, ...rest } }) => keyOf(rest));
  return [...groups.values()].flatMap((group) => {
    const sorted = group
      .map(({ labels, value }) => ({
        bound: labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le']),
        value,
      }))
      .sort((one, other) => one.bound - other.bound);
    const total = sorted.at(-1)?.value ?? 0;
    if (total === 0) {
      return [];
    }
    const rank = quantile * total;
    const index = sorted.findIndex(({ value }) => value >= rank);
    const found = sorted[index];
    const before = sorted[index - 1] ?? { bound: 0, value: 0 };
    if (found === undefined) {
      return [];
    }
    const { le: _bound, ...labels } = group[0]?.labels ?? {};
    const share = (rank - before.value) / (found.value - before.value);
    const value =
      found.bound === Number.POSITIVE_INFINITY ? before.bound : before.bound + (found.bound - before.bound) * share;
    return [{ labels, value }];
  });
}

function vectorOf(value: Value): Element[] {
  if (typeof value === 'number') {
    throw new Error('a number where a vector is expected');
  }
  return value;
}

function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort());
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.type.isError) {
      throw new Error(`a query does not parse at ${child.from}`);
    }
    children.push(child);
  }
  return children;
}

function only(node: SyntaxNode): SyntaxNode {
  const [child, more] = childrenOf(node);
  if (child === undefined || more !== undefined) {
    throw new Error(`one child of ${node.name} expected`);
  }
  return child;
}

function descendants(node: SyntaxNode, names: readonly string[]): SyntaxNode[] {
  return childrenOf(node).flatMap((child) => (names.includes(child.name) ? [child] : descendants(child, names)));
}

function required(node: SyntaxNode, name: string): SyntaxNode {
  const [found] = descendants(node, [name]);
  if (found === undefined) {
    throw new Error(`${node.name} has no ${name}`);
  }
  return found;
}
