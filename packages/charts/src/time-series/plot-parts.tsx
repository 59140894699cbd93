// Shared parts of all line charts: SVG, axes and lines.
import type { ReactNode } from 'react';
import { PLOT_HEIGHT_PX, type PlotScale } from './frame.ts';
import { areaOf, pathOf } from './prepare-time-series.ts';
import type { TimeTick } from './time-axis.ts';
import type { ValueTick } from './value-scale.ts';

const TICK_LABEL_GAP_PX = 46;

/**
 * The SVG itself; its container has the accessible name. After a screen rotation it is wider than the container until the next frame,
 * so overflow is prevented.
 */
export function Drawing({ width, children }: { width: number; children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={PLOT_HEIGHT_PX}
      className="absolute inset-0 max-w-full overflow-hidden"
    >
      {children}
    </svg>
  );
}

export interface PlotAxesProps {
  scale: PlotScale;
  xTicks: readonly TimeTick[];
  yTicks: readonly ValueTick[];
}

/** Grid lines with their values, and times. */
export function PlotAxes({ scale, xTicks, yTicks }: PlotAxesProps) {
  return (
    <>
      {yTicks.map((tick) => (
        <g key={tick.value}>
          <line
            x1={scale.left}
            x2={scale.right}
            y1={scale.yOf(tick.value)}
            y2={scale.yOf(tick.value)}
            stroke={tick.value === 0 ? 'var(--line-strong)' : 'var(--line)'}
          />
          <text
            x={scale.left - 8}
            y={scale.yOf(tick.value) + 4}
            textAnchor="end"
            fontSize="12"
            fill="var(--ink-3)"
            className="nums"
          >
            {tick.text}
          </text>
        </g>
      ))}
      {ticksThatFit(xTicks, scale).map((tick) => (
        <text
          key={tick.timeMs}
          x={scale.xOfTime(tick.timeMs)}
          y={PLOT_HEIGHT_PX - 5}
          textAnchor="middle"
          fontSize="12"
          fill="var(--ink-3)"
          className="nums"
        >
          {tick.text}
        </text>
      ))}
    </>
  );
}

/** On a narrow chart every other label is left out to avoid overlaps. */
function ticksThatFit(xTicks: readonly TimeTick[], { xOfTime, left, right }: PlotScale): readonly TimeTick[] {
  const room = (right - left) / Math.max(1, xTicks.length);
  const every = Math.max(1, Math.ceil(TICK_LABEL_GAP_PX / room));
  return xTicks.filter(({ timeMs }, index) => index % every === 0 && xOfTime(timeMs) <= right - 8);
}

export interface PlotLineProps {
  /** Null where nothing was measured, which breaks the line. */
  values: readonly (number | null)[];
  xOf: (index: number) => number;
  yOf: (value: number) => number;
  colour: string;
  width: number;
  isDashed?: boolean;
  /** With the area down to zero tinted. */
  isFilled?: boolean;
}

/** One line of the plot. */
export function PlotLine({ values, xOf, yOf, colour, width, isDashed = false, isFilled = false }: PlotLineProps) {
  return (
    <g>
      {isFilled ? <path d={areaOf(values, xOf, yOf)} fill={colour} fillOpacity={0.12} /> : null}
      <path
        d={pathOf(values, xOf, yOf)}
        fill="none"
        stroke={colour}
        strokeWidth={width}
        strokeDasharray={isDashed ? '5 3' : undefined}
        strokeLinejoin="round"
        strokeLinecap={isDashed ? 'butt' : 'round'}
      />
    </g>
  );
}
