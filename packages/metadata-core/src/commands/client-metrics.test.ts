import { describe, expect, it } from 'vitest';
import type { ConfigOp } from '../model/topics.types.ts';
import { settings } from '../queries/cluster.ts';
import { TestCluster } from '../testing/cluster.ts';

const set = (name: string, value: string): ConfigOp => ({ kind: 'set', name, value });
const remove = (name: string): ConfigOp => ({ kind: 'delete', name, value: '' });

function alter(cluster: TestCluster, name: string, ops: ConfigOp[], validateOnly = false) {
  return cluster.outcome({ kind: 'alter-client-metrics', subscriptions: [{ name, ops }], validateOnly });
}

const codeOf = (cluster: TestCluster, name: string, ops: ConfigOp[]): number | undefined =>
  alter(cluster, name, ops).answer.results[0]?.errorCode;

const stored = (cluster: TestCluster) =>
  [...settings(cluster.state).clientMetrics].map(([name, configs]) => [name, Object.fromEntries(configs)]);

describe('AlterClientMetrics', () => {
  it('keeps a subscription for as long as it has a config', () => {
    const cluster = new TestCluster();
    const ops = [set('interval.ms', '60000'), set('metrics', 'a.'), set('match', 'client_id=x.*,client_source_port=1')];
    expect(alter(cluster, 's', ops)).toMatchObject({ changed: true, effects: { settingsChanged: true } });
    expect(alter(cluster, 's', ops).changed).toBe(false);
    alter(cluster, 's', [{ kind: 'append', name: 'metrics', value: 'b.' }, remove('interval.ms')]);
    expect(stored(cluster)).toEqual([['s', { metrics: 'a.,b.', match: 'client_id=x.*,client_source_port=1' }]]);
    alter(cluster, 's', [remove('metrics'), remove('match')]);
    expect(stored(cluster)).toEqual([]);
  });

  it('changes nothing on validation or when an op is refused', () => {
    const cluster = new TestCluster();
    expect(alter(cluster, 's', [set('metrics', 'a.')], true).changed).toBe(false);
    expect(codeOf(cluster, 's', [set('metrics', 'a.'), set('interval.ms', '99')])).toBe(42);
    expect(stored(cluster)).toEqual([]);
  });

  it.each([
    ['', [set('metrics', 'a.')], 42],
    ['x'.repeat(250), [set('metrics', 'a.')], 42],
    ['s', [set('push.interval.ms', '1000')], 42],
    ['s', [set('metrics', 'a.'), remove('metrics')], 42],
    ['s', [set('interval.ms', '3600001')], 42],
    ['s', [set('interval.ms', 'often')], 40],
    ['s', [{ kind: 'append', name: 'interval.ms', value: '1' }], 40],
    ['s', [set('match', 'client=x')], 40],
    ['s', [set('match', 'client_id')], 40],
    ['s', [set('match', `client_id=${'x'.repeat(4_096)}`)], 40],
  ] satisfies [string, ConfigOp[], number][])('refuses %s %j with %i', (name, ops, errorCode) => {
    expect(codeOf(new TestCluster(), name, ops)).toBe(errorCode);
  });

  it('bounds the number of subscriptions', () => {
    const cluster = new TestCluster();
    for (let n = 0; n < 100; n += 1) {
      expect(codeOf(cluster, `s${n}`, [set('metrics', '*')])).toBe(0);
    }
    expect(codeOf(cluster, 'one-more', [set('metrics', '*')])).toBe(44);
    expect(codeOf(cluster, 's7', [set('metrics', 'a.')])).toBe(0);
  });
});
