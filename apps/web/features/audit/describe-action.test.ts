import { describe, expect, it } from 'vitest';
import { actionOptions, describeAction, describeChange } from './describe-action.ts';

describe('audit log in words', () => {
  it('never hides an action that has no words yet', () => {
    expect(describeAction('cluster.rename')).toBe('renamed a cluster');
    expect(describeAction('cluster.teleport')).toBe('cluster.teleport');
  });

  it('offers each action for a search once, and for each a heading that holds it', () => {
    const values = actionOptions.map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) expect(values).toContain(value.split('.')[0]);
  });

  it('shows both sides of a change and leaves out what stayed', () => {
    expect(describeChange({ name: 'a', defaultPartitions: 12 }, { name: 'b', defaultPartitions: 12 })).toEqual([
      'name: a → b',
    ]);
  });

  it('shows the one side of a creation or a deletion', () => {
    expect(describeChange(null, { name: 'a', autoCreateTopics: true })).toEqual(['name: a', 'autoCreateTopics: true']);
    expect(describeChange({ name: 'a' }, null)).toEqual(['name: a']);
  });
});
