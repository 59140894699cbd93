import { cx } from '@penstock/ui';
import type { ReactNode } from 'react';
import type { Tick } from './log-scale.ts';

/**
 * A drawing with two axes. Lines stretch to the available width; ticks and labels are HTML text, so that they are as readable at 360 px as
 * on a desktop.
 */
export function Axes({
  xTicks,
  yTicks,
  xTitle,
  yTitle,
  lines,
  children,
}: {
  xTicks: readonly Tick[];
  yTicks: readonly Tick[];
  xTitle: string;
  yTitle: string;
  /** SVG in a viewBox of 100 by 100. */
  lines: ReactNode;
  /** HTML on top, positioned in percent. */
  children?: ReactNode;
}) {
  return (
    <div className="text-ink-3 text-xs">
      <p>{yTitle}</p>
      <div className="relative mt-2 mb-6 ml-11 h-72 sm:h-80">
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          aria-hidden="true"
          className="absolute inset-0 size-full overflow-visible [&_*]:[vector-effect:non-scaling-stroke]"
        >
          <g stroke="var(--line)" strokeWidth="1">
            {yTicks.map((tick) => (
              <line key={tick.text} x1="0" x2="100" y1={tick.at} y2={tick.at} />
            ))}
            {xTicks.map((tick) => (
              <line key={tick.text} x1={tick.at} x2={tick.at} y1="0" y2="100" />
            ))}
          </g>
          {lines}
        </svg>
        <div aria-hidden>
          {yTicks.map((tick) => (
            <span
              key={tick.text}
              className="nums absolute right-full mr-2 -translate-y-1/2 leading-none"
              style={{ top: `${tick.at}%` }}
            >
              {tick.text}
            </span>
          ))}
          {xTicks.map((tick) => (
            <span
              key={tick.text}
              className={cx(
                'nums absolute top-full mt-1.5 whitespace-nowrap leading-none',
                tick.at > 97 ? '-translate-x-full' : '-translate-x-1/2',
              )}
              style={{ left: `${tick.at}%` }}
            >
              {tick.text}
            </span>
          ))}
        </div>
        {children}
      </div>
      <p className="text-right">{xTitle}</p>
    </div>
  );
}
