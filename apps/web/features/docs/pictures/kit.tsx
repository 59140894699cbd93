// Building blocks of the diagrams: boxes, lines and text on a canvas 340 units wide, which stays readable on a narrow screen.
import type { ReactNode } from 'react';

export type Tone = 'record' | 'metadata' | 'plain';

const STROKES: Readonly<Record<Tone, string>> = {
  record: 'var(--data-in)',
  metadata: 'var(--accent)',
  plain: 'var(--ink-3)',
};

export const SHEET_WIDTH = 340;

export interface PictureProps {
  /** Unique within a page. */
  id: string;
  title: string;
  /** A text description of the whole diagram. */
  text: string;
  height: number;
  children: ReactNode;
  legend?: ReactNode;
}

export function Picture({ id, title, text, height, children, legend }: PictureProps) {
  return (
    <figure className="mt-6 rounded-lg border border-line bg-surface p-1.5 sm:p-5">
      <svg
        viewBox={`0 0 ${SHEET_WIDTH} ${height}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-text`}
        className="mx-auto h-auto w-full max-w-lg"
        fill="none"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{text}</desc>
        <defs>
          {Object.entries(STROKES).map(([tone, stroke]) => (
            <marker
              key={tone}
              id={`${id}-${tone}`}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M1 1 L7 4 L1 7" stroke={stroke} strokeWidth="1.4" />
            </marker>
          ))}
        </defs>
        {children}
      </svg>
      {legend === undefined ? null : (
        <figcaption className="mt-3 border-line border-t px-2 pt-3 pb-1 sm:px-0 sm:pb-0 text-[0.8125rem] text-ink-3 leading-5">
          {legend}
        </figcaption>
      )}
    </figure>
  );
}

export interface BoxProps {
  x: number;
  y: number;
  width: number;
  height: number;
  label?: string;
  /** A second line under the label. */
  note?: string;
  variant?: 'solid' | 'inset' | 'dashed';
}

/** A rectangle with its label in the middle. */
export function Box({ x, y, width, height, label, note, variant = 'inset' }: BoxProps) {
  const middle = x + width / 2;
  const line = y + height / 2 + (note === undefined ? 4 : -2);
  return (
    <g>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx="7"
        fill={variant === 'dashed' ? 'none' : variant === 'solid' ? 'var(--surface)' : 'var(--inset)'}
        stroke="var(--line-strong)"
        strokeDasharray={variant === 'dashed' ? '4 3' : undefined}
      />
      {label === undefined ? null : (
        <text x={middle} y={line} textAnchor="middle" fontSize="12.5" fontWeight="500" fill="var(--ink)">
          {label}
        </text>
      )}
      {note === undefined ? null : (
        <text x={middle} y={line + 14} textAnchor="middle" fontSize="11.5" fill="var(--ink-3)">
          {note}
        </text>
      )}
    </g>
  );
}

export interface ArrowProps {
  picture: string;
  from: readonly [number, number];
  to: readonly [number, number];
  tone?: Tone;
  isTwoWay?: boolean;
  isDashed?: boolean;
}

export function Arrow({ picture, from, to, tone = 'plain', isTwoWay = false, isDashed = false }: ArrowProps) {
  const head = `url(#${picture}-${tone})`;
  return (
    <line
      x1={from[0]}
      y1={from[1]}
      x2={to[0]}
      y2={to[1]}
      stroke={STROKES[tone]}
      strokeWidth="1.6"
      strokeDasharray={isDashed ? '4 3' : undefined}
      markerEnd={head}
      markerStart={isTwoWay ? head : undefined}
    />
  );
}

export interface WordsProps {
  x: number;
  y: number;
  children: string;
  anchor?: 'start' | 'middle' | 'end';
  isStrong?: boolean;
}

export function Words({ x, y, children, anchor = 'start', isStrong = false }: WordsProps) {
  return (
    <text
      x={x}
      y={y}
      textAnchor={anchor}
      fontSize={isStrong ? '12.5' : '11.5'}
      fontWeight={isStrong ? '600' : '400'}
      fill={isStrong ? 'var(--ink)' : 'var(--ink-2)'}
    >
      {children}
    </text>
  );
}
