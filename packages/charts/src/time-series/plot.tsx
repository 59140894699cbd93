'use client';

import { memo, type PointerEvent, useRef, useState } from 'react';
import { useCrosshair } from './crosshair.tsx';
import { type Frame, frameOf, PLOT_HEIGHT_PX } from './frame.ts';
import { Drawing, PlotAxes, PlotLine } from './plot-parts.tsx';
import { stepAt, type TimeSeriesData, type TimeWindow } from './prepare-time-series.ts';
import { stepText } from './time-text.ts';
import { useWidth } from './use-width.ts';
import { valueText } from './value-scale.ts';

const INITIAL_WIDTH_PX = 560;
/** A shorter drag is a click. */
const LEAST_DRAG_PX = 6;
/** Steps per Page Up and Page Down. */
const PAGE_STEPS = 10;

export interface PlotProps {
  data: TimeSeriesData;
  /** The chart's accessible name. */
  label: string;
  /** Called with the picked range; without it nothing can be picked. */
  onZoom?: ((window: TimeWindow) => void) | undefined;
}

/** Lines over time with the page's crosshair. A range is picked by dragging, or by + and - on the keyboard. */
export function Plot({ data, label, onZoom }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, INITIAL_WIDTH_PX);
  const frame = frameOf(data, width);
  return (
    <div>
      <div className="flex justify-between text-ink-3 text-xs">
        <span>{data.axisUnit}</span>
        <span>{data.zone.name}</span>
      </div>
      <div ref={box} className="relative" style={{ height: PLOT_HEIGHT_PX }}>
        <Lines data={data} width={width} />
        <Pointer data={data} frame={frame} label={label} onZoom={onZoom} />
      </div>
    </div>
  );
}

/** Axes and lines. Rendered again only for new data or a new width, not when the crosshair moves. */
const Lines = memo(function Lines({ data, width }: { data: TimeSeriesData; width: number }) {
  const frame = frameOf(data, width);
  // The largest line is drawn last, in front; grey lines are behind.
  const drawn = data.lines.toReversed();
  return (
    <Drawing width={width}>
      <PlotAxes scale={frame} xTicks={data.xTicks} yTicks={data.yTicks} />
      {drawn.map((line) => (
        <PlotLine
          key={line.key}
          values={line.values}
          xOf={frame.xOfStep}
          yOf={frame.yOf}
          colour={line.colour}
          width={line.hasColour ? 1.75 : 1}
          isFilled={data.lines.length === 1}
        />
      ))}
    </Drawing>
  );
});

interface Drag {
  fromX: number;
  toX: number;
}

function Pointer({ data, frame, label, onZoom }: PlotProps & { frame: Frame }) {
  const { timeMs, set: setCrosshair } = useCrosshair();
  const [drag, setDrag] = useState<Drag | null>(null);
  const step = timeMs === null ? null : stepAt(data, timeMs);
  const newest = Math.max(0, data.steps - 1);

  const xOf = (event: PointerEvent): number => event.clientX - event.currentTarget.getBoundingClientRect().left;
  const moveTo = (next: number): void => {
    const within = Math.min(newest, Math.max(0, next));
    setCrosshair(data.startMs + (within + 0.5) * data.stepMs);
  };
  const zoomBy = (factor: number): void => {
    const { startMs, endMs } = data.window;
    const length = (endMs - startMs) * factor;
    const middle = timeMs ?? (startMs + endMs) / 2;
    onZoom?.({ startMs: middle - length / 2, endMs: middle + length / 2 });
  };
  const KEYS: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => moveTo((step ?? data.steps) - 1),
    ArrowRight: () => moveTo((step ?? newest) + 1),
    PageUp: () => moveTo((step ?? data.steps) - PAGE_STEPS),
    PageDown: () => moveTo((step ?? newest) + PAGE_STEPS),
    Home: () => moveTo(0),
    End: () => moveTo(newest),
    Escape: () => setCrosshair(null),
    '+': () => zoomBy(1 / 2),
    '-': () => zoomBy(2),
  };
  const finish = (): void => {
    if (drag !== null && Math.abs(drag.toX - drag.fromX) >= LEAST_DRAG_PX) {
      const [from, to] = [drag.fromX, drag.toX].toSorted((left, right) => left - right);
      onZoom?.({ startMs: frame.timeAt(from ?? 0), endMs: frame.timeAt(to ?? 0) });
    }
    setDrag(null);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`${label}: moment`}
      aria-valuemin={0}
      aria-valuemax={newest}
      aria-valuenow={step ?? newest}
      aria-valuetext={spokenAt(data, step)}
      aria-keyshortcuts="+ - Escape"
      className="absolute inset-0 touch-pan-y select-none rounded outline-offset-4"
      style={{ cursor: onZoom === undefined ? 'default' : 'crosshair' }}
      onKeyDown={(event) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
        if (act === undefined) {
          return;
        }
        event.preventDefault();
        act();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0 || onZoom === undefined) {
          return;
        }
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ fromX: xOf(event), toX: xOf(event) });
      }}
      onPointerMove={(event) => {
        const x = xOf(event);
        setCrosshair(frame.timeAt(x));
        if (drag !== null) {
          setDrag({ ...drag, toX: x });
        }
      }}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(null)}
      onPointerLeave={() => setCrosshair(null)}
      onBlur={() => setCrosshair(null)}
    >
      <svg aria-hidden="true" width="100%" height={PLOT_HEIGHT_PX} className="pointer-events-none overflow-hidden">
        {drag === null ? null : (
          <rect
            x={Math.max(frame.left, Math.min(drag.fromX, drag.toX))}
            width={Math.max(
              0,
              Math.min(frame.right, Math.max(drag.fromX, drag.toX)) -
                Math.max(frame.left, Math.min(drag.fromX, drag.toX)),
            )}
            y={frame.top}
            height={frame.bottom - frame.top}
            fill="var(--accent)"
            fillOpacity={0.14}
            stroke="var(--accent)"
          />
        )}
        {step === null ? null : <Mark data={data} frame={frame} step={step} />}
      </svg>
    </div>
  );
}

function Mark({ data, frame, step }: { data: TimeSeriesData; frame: Frame; step: number }) {
  const x = frame.xOfStep(step);
  if (x < frame.left || x > frame.right) {
    return null;
  }
  const isRight = x > (frame.left + frame.right) / 2;
  return (
    <g>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} stroke="var(--ink-3)" strokeDasharray="3 3" />
      <text
        x={isRight ? x - 6 : x + 6}
        y={frame.top + 9}
        textAnchor={isRight ? 'end' : 'start'}
        fontSize="11"
        fill="var(--ink)"
        stroke="var(--surface)"
        strokeWidth="4"
        paintOrder="stroke"
        className="nums"
      >
        {stepText(data, step)}
      </text>
      {data.lines.map(({ key, values, colour }) => {
        const value = values[step] ?? null;
        return value === null ? null : (
          <circle key={key} cx={x} cy={frame.yOf(value)} r="3" fill={colour} stroke="var(--surface)" />
        );
      })}
    </g>
  );
}

/** More lines would be too long for a screen reader to announce. */
const MOST_SPOKEN = 6;

function spokenAt(data: TimeSeriesData, step: number | null): string {
  if (data.steps === 0) {
    return 'No data';
  }
  const at = step ?? data.steps - 1;
  const values = data.lines
    .slice(0, MOST_SPOKEN)
    .map(({ label, values }) => `${label} ${valueText(data.unit, values[at])}`);
  return [`${stepText(data, at)} ${data.zone.name}`, ...values].join(', ');
}
