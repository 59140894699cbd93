'use client';

import type { NumberInput } from '@penstock/pricing';
import { cx, INPUT_CLASS } from '@penstock/ui';
import type { InputHTMLAttributes, ReactNode } from 'react';
import { hasSlider, sliderOf, textOfSlider } from './slider';

export interface NumberControlProps {
  spec: NumberInput;
  text: string;
  /** The field's id, name, description and validity. */
  described: InputHTMLAttributes<HTMLInputElement>;
  onChange: (key: string, text: string) => void;
  /** A control in place of the unit. */
  unit?: ReactNode;
}

/** A fixed height, so that a slider step lays out only these two controls and not the rest of the page. */
const STEADY = 'h-[4.125rem] [contain:size_layout_style] print:h-auto print:[contain:none]';

/** A number field, with a slider if the input has a useful range. */
export function NumberControl({ spec, text, described, onChange, unit = null }: NumberControlProps) {
  const hasRange = hasSlider(spec);
  return (
    <div className={cx(hasRange && STEADY)}>
      <div className="flex items-center gap-2">
        <input
          {...described}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onChange={(event) => onChange(spec.key, event.target.value)}
          className={cx(INPUT_CLASS, 'nums flex-1 text-right')}
        />
        {unit ?? <span className="w-24 shrink-0 text-ink-3 text-xs leading-4">{spec.unit}</span>}
      </div>
      {hasRange ? (
        <input
          type="range"
          min={0}
          max={1000}
          value={sliderOf(spec, text)}
          aria-label={`${spec.label}, slider`}
          aria-valuetext={`${text} ${spec.unit}`}
          onChange={(event) => onChange(spec.key, textOfSlider(spec, Number(event.target.value)))}
          className="mt-1.5 h-6 w-full accent-[var(--accent)] print:hidden"
        />
      ) : null}
    </div>
  );
}
