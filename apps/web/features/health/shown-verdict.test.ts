import { describe, expect, it } from 'vitest';
import { shownVerdict } from './shown-verdict.ts';

const alive = { tone: 'ok', label: 'Healthy', text: '2 agents alive.' } as const;
const noAgent = { tone: 'warn', label: 'No agent alive', text: 'Clients cannot produce.' } as const;
const capped = { tone: 'warn', label: 'Writes refused', text: 'The cap is reached.', refusesWrites: true } as const;
const none = { tone: 'neutral', label: 'Waiting for an agent', text: 'Start one.' } as const;
const finding = { title: 'The object storage fails' };

describe('the verdict that is shown', () => {
  it.each([
    ['findings before all else', { level: 'critical', findings: [finding, finding] }, noAgent, 'Critical'],
    ['a warning as degraded', { level: 'degraded', findings: [finding] }, alive, 'Degraded'],
    ['that writes are refused before a warning', { level: 'degraded', findings: [finding] }, capped, 'Writes refused'],
    ['that writes are refused though all is well', { level: 'healthy', findings: [] }, capped, 'Writes refused'],
    ['what the live view sees before the rules do', { level: 'healthy', findings: [] }, noAgent, 'No agent alive'],
    ['that nobody looked, rather than that all is well', { level: 'unknown', findings: [] }, alive, 'Not assessed'],
    ['that an agent is waited for', { level: 'waiting', findings: [] }, none, 'Waiting for an agent'],
    ['that all is well', { level: 'healthy', findings: [] }, alive, 'Healthy'],
    ['the live view alone while the verdict is loading', undefined, alive, 'Healthy'],
  ] as const)('tells %s', (_what, health, live, label) => {
    expect(shownVerdict(health, live).label).toBe(label);
  });

  it('names the refusal of writes beside what is critical', () => {
    const { label, text } = shownVerdict({ level: 'critical', findings: [finding] }, capped);
    expect([label, text]).toEqual(['Critical', 'The object storage fails. The cap is reached.']);
  });

  it('counts what it does not name', () => {
    expect(shownVerdict({ level: 'critical', findings: [finding, finding] }, alive).text).toBe(
      'The object storage fails, and 1 more.',
    );
  });
});
