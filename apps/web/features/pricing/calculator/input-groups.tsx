'use client';

import { type FieldErrors, GROUP_LABELS, type InputGroup, type InputSpec } from '@penstock/pricing';
import { Badge, cx, INPUT_CLASS } from '@penstock/ui';
import { Search } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import type { Fields } from './fields';
import { InputControl } from './input-control';
import { isMeant, wordsOf } from './search';
import { BASIC_SPECS, OTHER_GROUPS, OTHER_SPECS, UNIT_KEY, UNIT_SPEC, VIEW_SPECS } from './shown-inputs';

interface FormProps {
  fields: Fields;
  errors: FieldErrors;
  onChange: (key: string, text: string) => void;
  onReset: (key: string) => void;
}

const hasOverride = (key: string) => key.startsWith('pin.');

/** The simple form: six inputs that describe a load. */
export const BasicInputs = memo(function BasicInputs({ fields, errors, onChange, onReset }: FormProps) {
  const unit = fields[UNIT_KEY] ?? UNIT_SPEC?.default ?? '';
  return (
    <div className="border-line border-b px-4 pt-3 pb-5" data-group="workload">
      <h3 className="font-semibold text-ink text-sm">Your load</h3>
      <div className="mt-3 flex flex-col gap-4 print:grid print:grid-cols-3">
        {BASIC_SPECS.map((spec) => (
          <InputControl
            key={spec.key}
            spec={spec}
            text={fields[spec.key] ?? spec.default}
            error={errors[spec.key]}
            onChange={onChange}
            onReset={onReset}
            unit={spec.key === 'throughput' ? unit : undefined}
            plain
          />
        ))}
      </div>
    </div>
  );
});

/** Inputs that control how results are compared, visible next to them. */
export const ViewInputs = memo(function ViewInputs({ fields, errors, onChange, onReset }: FormProps) {
  return (
    <div className="mb-5 grid gap-4 rounded-lg bg-inset/60 p-4 sm:grid-cols-3 print:hidden" data-group="view">
      {VIEW_SPECS.map((spec) => (
        <InputControl
          key={spec.key}
          spec={spec}
          text={fields[spec.key] ?? spec.default}
          error={errors[spec.key]}
          onChange={onChange}
          onReset={onReset}
          brief
        />
      ))}
    </div>
  );
});

/** Every other assumption, by group or by search. `prices` shows the catalogue's for a search. */
export const AllAssumptions = memo(function AllAssumptions({
  prices,
  ...form
}: FormProps & { prices: (words: readonly string[]) => ReactNode }) {
  const { fields, errors } = form;
  const [query, setQuery] = useState('');
  const words = wordsOf(query);
  const changed = OTHER_SPECS.filter((spec) => fields[spec.key] !== undefined).length;
  const overridden = Object.keys(fields).filter((key) => key.startsWith('pin.') || key.startsWith('price.')).length;
  const wrong = OTHER_SPECS.filter((spec) => errors[spec.key] !== undefined).length;
  const found = words.length === 0 ? [] : OTHER_SPECS.filter((spec) => isMeant(spec, words));
  return (
    <LazyDetails
      startsOpen={changed + overridden > 0}
      mustOpen={wrong > 0 || Object.keys(fields).some(hasOverride)}
      data-group="all"
      summary={
        <summary className="flex items-center justify-between gap-3 px-4 py-3 font-semibold text-ink text-sm hover:bg-hover">
          <span className="flex items-center gap-2">
            <Chevron />
            All assumptions
          </span>
          <Marks wrong={wrong} changed={changed + overridden} count={OTHER_SPECS.length} />
        </summary>
      }
    >
      <div className="border-line border-y px-4 py-3 print:hidden">
        <label className="relative block">
          <span className="sr-only">Search assumptions</span>
          <Search aria-hidden className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3" />
          <input
            type="search"
            value={query}
            placeholder="Search, e.g. CPU or Bufstream"
            autoComplete="off"
            onChange={(event) => setQuery(event.target.value)}
            className={cx(INPUT_CLASS, 'w-full pl-8')}
          />
        </label>
      </div>
      {words.length === 0 ? (
        OTHER_GROUPS.map(([group, specs]) => <Group key={group} group={group} specs={specs} {...form} />)
      ) : (
        <section aria-label="Found assumptions" className="border-line border-b">
          <p role="status" className="px-4 pt-3 text-ink-3 text-xs">
            {found.length === 1 ? '1 assumption' : `${found.length} assumptions`} found
          </p>
          <Controls specs={found} {...form} />
        </section>
      )}
      {prices(words)}
    </LazyDetails>
  );
});

function Marks({ wrong, changed, count }: { wrong: number; changed: number; count: number }) {
  return (
    <span className="flex gap-1.5">
      {wrong > 0 ? <Badge tone="danger">{wrong} invalid</Badge> : null}
      {changed > 0 ? (
        <Badge tone="accent">{changed} changed</Badge>
      ) : (
        <span className="font-normal text-ink-3 text-xs">{count}</span>
      )}
    </span>
  );
}

/** A closed group shows how many of its assumptions were changed or are invalid. */
function Group({ group, specs, ...form }: FormProps & { group: InputGroup; specs: readonly InputSpec[] }) {
  const { fields, errors } = form;
  const changed = specs.filter((spec) => fields[spec.key] !== undefined).length;
  const wrong = specs.filter((spec) => errors[spec.key] !== undefined).length;
  return (
    <LazyDetails
      startsOpen={changed > 0}
      mustOpen={wrong > 0}
      className="border-line border-b"
      data-group={group}
      summary={
        <summary className="flex items-center justify-between gap-3 py-3 pr-4 pl-6 font-medium text-ink text-sm hover:bg-hover">
          <span className="flex items-center gap-2">
            <Chevron />
            {group === 'workload' ? 'More about your load' : GROUP_LABELS[group]}
          </span>
          <Marks wrong={wrong} changed={changed} count={specs.length} />
        </summary>
      }
    >
      <Controls specs={specs} {...form} />
    </LazyDetails>
  );
}

function Controls({ specs, fields, errors, onChange, onReset }: FormProps & { specs: readonly InputSpec[] }) {
  return (
    <div className="flex flex-col gap-4 px-4 pt-1 pb-5 print:grid print:grid-cols-3 print:pb-3">
      {specs.map((spec) => (
        <InputControl
          key={spec.key}
          spec={spec}
          text={fields[spec.key] ?? spec.default}
          error={errors[spec.key]}
          onChange={onChange}
          onReset={onReset}
        />
      ))}
    </div>
  );
}
