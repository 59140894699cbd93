import { describe, expect, it } from 'vitest';
import {
  actionOptions,
  describeAction,
  describeChange,
  isPrincipalVerified,
  reportingKeyOf,
} from './describe-action.ts';

describe('audit log in words', () => {
  it('an action without a text is shown by its name', () => {
    expect(describeAction('cluster.rename')).toBe('renamed a cluster');
    expect(describeAction('cluster.teleport')).toBe('cluster.teleport');
    expect(describeAction('constructor')).toBe('constructor');
    expect(describeChange(null, { constructor: 'a' }, 'UTC')).toEqual(['constructor: a']);
  });

  it('offers each action once, under a heading that contains it', () => {
    const values = actionOptions.map(({ value }) => value);
    expect(new Set(values).size).toBe(values.length);
    for (const value of values) {
      expect(values).toContain(value.split('.')[0]);
    }
  });

  it('shows old and new values of changed fields only', () => {
    expect(describeChange({ name: 'a', defaultPartitions: 12 }, { name: 'b', defaultPartitions: 12 }, 'UTC')).toEqual([
      'name: a → b',
    ]);
  });

  it('shows the one value of a creation or a deletion', () => {
    expect(describeChange(null, { name: 'a', autoCreateTopics: true }, 'UTC')).toEqual([
      'name: a',
      'automatic topic creation: yes',
    ]);
    expect(describeChange({ name: 'a' }, null, 'UTC')).toEqual(['name: a']);
  });

  it('shows times in the reader’s zone and rules by their titles', () => {
    const silence = { rule: 'consumers.stopped', until: '2026-11-23T08:59:01.637Z' };
    expect(describeChange(null, silence, 'Europe/Berlin')).toEqual([
      'rule: A consumer group has lost all members and its lag is growing',
      'until: 23 Nov 2026, 09:59:01 CET',
    ]);
    expect(describeChange(null, { rule: null }, 'UTC')).toEqual(['rule: all rules']);
  });

  // Other rows have none.
  it('names the agent key that reported a Kafka client', () => {
    expect(reportingKeyOf({ source: 'kafka', after: { agentKeyId: 'key-1' } })).toBe('key-1');
    expect(reportingKeyOf({ source: 'kafka', after: { agentKeyId: '' } })).toBeNull();
    expect(reportingKeyOf({ source: 'web', after: { agentKeyId: 'key-1' } })).toBeNull();
    expect(reportingKeyOf({ source: 'kafka', after: null })).toBeNull();
    expect(isPrincipalVerified({ source: 'kafka', after: { principalVerified: true } })).toBe(true);
    expect(isPrincipalVerified({ source: 'kafka', after: { principalVerified: 'true' } })).toBe(false);
    expect(isPrincipalVerified({ source: 'web', after: { principalVerified: true } })).toBe(false);
  });

  it('lists several values in words, and none as none', () => {
    const key = { networks: ['10.0.0.0/8', '192.0.2.1'], addresses: [] };
    expect(describeChange(null, key, 'UTC')).toEqual(['networks: 10.0.0.0/8, 192.0.2.1', 'addresses: none']);
  });

  it('never shows the code name of a field', () => {
    const key = { displayPrefix: 'psk_agent_a1B2', displayLast4: 'x9Y8', clusterId: 'c', expiresAt: null };
    expect(describeChange(null, key, 'UTC')).toEqual(['cluster id: c', 'expires at: none', 'key: psk_agent_a1B2…x9Y8']);
  });
});
