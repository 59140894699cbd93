// Parts of a plane: lines of points, and the thin lines from marks to their labels.
import { LEAD } from './place-labels.ts';

export interface PlaneLineProps {
  /** The points from `polylineOf`. */
  points: string;
  /** Shown while the pointer is over the line. */
  title: string | undefined;
  colour: string;
  width: number;
  isDashed?: boolean;
}

export function PlaneLine({ points, title, colour, width, isDashed = false }: PlaneLineProps) {
  return (
    <polyline
      points={points}
      fill="none"
      stroke={colour}
      strokeWidth={width}
      strokeDasharray={isDashed ? '7 4' : undefined}
    >
      <title>{title}</title>
    </polyline>
  );
}

/** From a mark to its label, which `placeLabels` has put at `labelY`. */
export function LabelLead({ x, y, labelY, side }: { x: number; y: number; labelY: number; side: 'left' | 'right' }) {
  return <line x1={x} y1={y} x2={x + (side === 'left' ? -LEAD : LEAD)} y2={labelY} stroke="var(--line-strong)" />;
}
