'use client';

import type { NumberInput } from '@penstock/pricing';
import { cx, INPUT_CLASS } from '@penstock/ui';
import type { InputHTMLAttributes } from 'react';
import { hasSlider, sliderOf, textOfSlider } from './slider';
import { useDraggedValue } from './use-dragged-value';

export interface NumberControlProps {
  spec: NumberInput;
  text: string;
  /** The field's id, name, description and whether it is wrong. */
  described: InputHTMLAttributes<HTMLInputElement>;
  onChange: (key: string, text: string) => void;
}

/** As high as both controls, whatever stands in them: a step of the slider then lays out these two and no more of the page. */
const STEADY = 'h-[4.125rem] [contain:size_layout_style] print:h-auto print:[contain:none]';

/** A number as a field, and as a slider where it has a useful range. A step of the slider draws these two and nothing else. */
export function NumberControl({ spec, text, described, onChange }: NumberControlProps) {
  const [shown, drag] = useDraggedValue(text, (followed) => onChange(spec.key, followed));
  const hasRange = hasSlider(spec);
  return (
    <div className={cx(hasRange && STEADY)}>
      <div className="flex items-center gap-2">
        <input
          {...described}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          value={shown}
          onChange={(event) => onChange(spec.key, event.target.value)}
          className={cx(INPUT_CLASS, 'nums flex-1 text-right')}
        />
        <span className="w-24 shrink-0 text-ink-3 text-xs leading-4">{spec.unit}</span>
      </div>
      {hasRange ? (
        <input
          type="range"
          min={0}
          max={1000}
          value={sliderOf(spec, shown)}
          aria-label={`${spec.label}, slider`}
          aria-valuetext={`${shown} ${spec.unit}`}
          onChange={(event) => drag(textOfSlider(spec, Number(event.target.value)))}
          className="mt-1.5 h-6 w-full accent-[var(--accent)] print:hidden"
        />
      ) : null}
    </div>
  );
}
