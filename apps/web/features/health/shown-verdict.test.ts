import { describe, expect, it } from 'vitest';
import { shownVerdict } from './shown-verdict.ts';

const alive = { tone: 'ok', label: 'Healthy', text: '2 agents alive.' } as const;
const noAgent = { tone: 'warn', label: 'No agent alive', text: 'Clients cannot produce.' } as const;
const none = { tone: 'neutral', label: 'Waiting for an agent', text: 'Start one.' } as const;
const finding = { title: 'Object storage fails' };

describe('the verdict that is shown', () => {
  it.each([
    ['findings before all else', { level: 'critical', findings: [finding, finding] }, noAgent, 'Critical'],
    ['a warning as degraded', { level: 'degraded', findings: [finding] }, alive, 'Degraded'],
    ['what the live view sees before the rules do', { level: 'healthy', findings: [] }, noAgent, 'No agent alive'],
    ['that nobody looked, rather than that all is well', { level: 'unknown', findings: [] }, alive, 'Not checked'],
    ['that an agent is waited for', { level: 'waiting', findings: [] }, none, 'Waiting for an agent'],
    ['that all is well', { level: 'healthy', findings: [] }, alive, 'Healthy'],
    ['the live view alone while the verdict is loading', undefined, alive, 'Healthy'],
  ] as const)('tells %s', (_what, health, live, label) => {
    expect(shownVerdict(health, live).label).toBe(label);
  });

  it('counts what it does not name', () => {
    expect(shownVerdict({ level: 'critical', findings: [finding, finding] }, alive).text).toBe(
      'Object storage fails, and 1 more.',
    );
  });
});
