'use client';

import type { InputSpec } from '@penstock/pricing';
import { Badge, cx, INPUT_CLASS } from '@penstock/ui';
import { CircleAlert, RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { NumberControl } from './number-control';
import { UNIT_KEY, UNIT_SPEC } from './shown-inputs';

export interface InputControlProps {
  spec: InputSpec;
  text: string;
  error: string | undefined;
  onChange: (key: string, text: string) => void;
  onReset: (key: string) => void;
  /** The chosen unit of the throughput, which is an input of its own. */
  unit?: string | undefined;
  /** Leaves the explanation to screen readers. */
  brief?: boolean;
  /** Leaves out the default and its source. */
  plain?: boolean;
}

/** One assumption: label, control, unit, change mark, source of the default, and error. It renders again only when it changes itself. */
export const InputControl = memo(function InputControl({
  spec,
  text,
  error,
  onChange,
  onReset,
  unit,
  brief = false,
  plain = false,
}: InputControlProps) {
  const id = `in-${spec.key}`;
  const unitChanged = unit !== undefined && unit !== UNIT_SPEC?.default;
  const changed = text !== spec.default || unitChanged;
  return (
    <div className="min-w-0 [contain:layout_style]" data-changed={changed || undefined}>
      <div className="flex min-h-6 items-center justify-between gap-2">
        <label
          htmlFor={id}
          className={cx('text-sm', changed ? 'font-semibold text-accent-ink' : 'font-medium text-ink')}
        >
          {spec.label}
          {changed ? <span className="font-normal text-xs"> · changed</span> : null}
        </label>
        {changed ? (
          <button
            type="button"
            onClick={() => {
              onReset(spec.key);
              if (unitChanged) {
                onReset(UNIT_KEY);
              }
            }}
            aria-label={`Reset ${spec.label} to ${defaultText(spec)}`}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-hover hover:text-ink print:hidden"
          >
            <RotateCcw aria-hidden className="size-3.5" />
          </button>
        ) : null}
      </div>
      <Control spec={spec} text={text} id={id} error={error} onChange={onChange} unit={unit} />
      {error === undefined ? null : (
        <p id={`${id}-error`} className="mt-1 flex items-start gap-1.5 text-[0.8125rem] text-danger-ink leading-5">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      <p id={`${id}-hint`} className={cx('mt-1 text-ink-3 text-xs leading-[1.15rem] print:hidden', brief && 'sr-only')}>
        {spec.help}{' '}
        {plain ? null : (
          <>
            Default: {defaultText(spec)} ({spec.source}). {spec.verified ? null : <Badge tone="warn">unverified</Badge>}
          </>
        )}
      </p>
    </div>
  );
});

function defaultText(spec: InputSpec): string {
  if (spec.kind === 'choice') {
    return spec.options.find((option) => option.value === spec.default)?.label ?? spec.default;
  }
  return spec.kind === 'flag' ? (spec.default === 'true' ? 'yes' : 'no') : spec.default;
}

type ControlProps = Omit<InputControlProps, 'onReset' | 'brief' | 'plain'> & { id: string };

function Control({ spec, text, id, error, onChange, unit }: ControlProps) {
  const described = {
    id,
    name: spec.key,
    'aria-describedby': error === undefined ? `${id}-hint` : `${id}-error ${id}-hint`,
    ...(error === undefined ? {} : { 'aria-invalid': true }),
  } as const;
  if (spec.kind !== 'number') {
    const options = spec.kind === 'flag' ? FLAG_OPTIONS : spec.options;
    return (
      <select
        {...described}
        value={text}
        onChange={(event) => onChange(spec.key, event.target.value)}
        className={cx(INPUT_CLASS, 'pr-1')}
      >
        {options.some((option) => option.value === text) ? null : <option value={text}>{text}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  }
  return (
    <NumberControl
      spec={spec}
      text={text}
      described={described}
      onChange={onChange}
      unit={unit === undefined ? null : <UnitControl unit={unit} onChange={onChange} />}
    />
  );
}

function UnitControl({ unit, onChange }: { unit: string; onChange: InputControlProps['onChange'] }) {
  return UNIT_SPEC?.kind === 'choice' ? (
    <span className="w-24 shrink-0">
      <select
        name={UNIT_KEY}
        aria-label={UNIT_SPEC.label}
        value={unit}
        onChange={(event) => onChange(UNIT_KEY, event.target.value)}
        className={cx(INPUT_CLASS, 'pr-1')}
      >
        {UNIT_SPEC.options.some((option) => option.value === unit) ? null : <option value={unit}>{unit}</option>}
        {UNIT_SPEC.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  ) : null;
}

const FLAG_OPTIONS = [
  { value: 'true', label: 'yes' },
  { value: 'false', label: 'no' },
] as const;
