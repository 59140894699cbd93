import { Badge, type Tone } from '@penstock/ui';

const STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  Stable: { tone: 'ok', label: 'Stable' },
  Empty: { tone: 'neutral', label: 'Empty' },
  PreparingRebalance: { tone: 'accent', label: 'Preparing rebalance' },
  CompletingRebalance: { tone: 'accent', label: 'Completing rebalance' },
  Assigning: { tone: 'accent', label: 'Assigning' },
  Reconciling: { tone: 'accent', label: 'Reconciling' },
  Dead: { tone: 'warn', label: 'Dead' },
};

/** A consumer group's state, of either protocol. */
export function GroupStateBadge({ state }: { state: string }) {
  const { tone, label } = STATES[state] ?? { tone: 'neutral' as const, label: state };
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}
