// Converts an estimate into stacked bars. Pure.
import { COMPONENTS, type Component, type Estimate, formatUsd, sumUsd } from '@penstock/pricing';

export interface BarSegment {
  readonly component: Component;
  readonly share: number;
  readonly text: string;
}
export interface BarRow {
  readonly id: string;
  readonly name: string;
  readonly configuration: string;
  readonly ours: boolean;
  /** Null when the system is not available; then `reason` says why. */
  readonly totalText: string | null;
  readonly reason: string | null;
  /** Share of the widest bar, 0 to 100. */
  readonly width: number;
  readonly segments: readonly BarSegment[];
}

/** Cheapest first; unavailable systems last. */
export function prepareBars(estimate: Estimate): readonly BarRow[] {
  const highest = Math.max(0, ...estimate.systems.map((system) => (system.available ? system.total.toNumber() : 0)));
  const rows = estimate.systems.map((system): BarRow & { order: number } => {
    const { id, name, configuration, ours } = system;
    if (!system.available) {
      return {
        id,
        name,
        configuration,
        ours,
        totalText: null,
        reason: system.reason,
        width: 0,
        segments: [],
        order: Number.MAX_VALUE,
      };
    }
    const total = system.total.toNumber();
    const segments = COMPONENTS.flatMap((component): BarSegment[] => {
      const amount = sumUsd(system.lines.filter((line) => line.component === component).map((line) => line.amount));
      return amount.isZero()
        ? []
        : [{ component, share: total === 0 ? 0 : (amount.toNumber() / total) * 100, text: formatUsd(amount) }];
    });
    return {
      id,
      name,
      configuration,
      ours,
      totalText: formatUsd(system.total),
      reason: null,
      width: highest === 0 ? 0 : (total / highest) * 100,
      segments,
      order: total,
    };
  });
  return rows.sort((a, b) => a.order - b.order).map(({ order: _, ...row }) => row);
}
