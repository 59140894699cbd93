import { describe, expect, it } from 'vitest';
import { describeAction, describeChange } from './describe-action.ts';

describe('audit log in words', () => {
  it('never hides an action that has no words yet', () => {
    expect(describeAction('cluster.rename')).toBe('renamed a cluster');
    expect(describeAction('cluster.teleport')).toBe('cluster.teleport');
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
