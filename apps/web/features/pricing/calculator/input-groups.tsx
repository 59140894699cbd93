'use client';

import { type FieldErrors, GROUP_LABELS, INPUTS, type InputGroup } from '@penstock/pricing';
import { Badge } from '@penstock/ui';
import { memo } from 'react';
import { Chevron } from '../chevron';
import { LazyDetails } from '../lazy-details';
import type { Fields } from './fields';
import { InputControl } from './input-control';

const ORDER: readonly InputGroup[] = ['workload', 'latency', 'view', 'deployment', 'penstock', 'kafka', 'rivals'];
const OPEN: ReadonlySet<InputGroup> = new Set(['workload', 'latency', 'view']);

const SPECS = new Map(ORDER.map((group) => [group, INPUTS.filter((spec) => spec.group === group)]));

interface GroupProps {
  group: InputGroup;
  fields: Fields;
  errors: FieldErrors;
  onChange: (key: string, text: string) => void;
  onReset: (key: string) => void;
}

/** All inputs by group. A closed group shows how many of its assumptions were changed or are invalid. */
export const InputGroups = memo(function InputGroups(props: Omit<GroupProps, 'group'>) {
  return (
    <>
      {ORDER.map((group) => (
        <Group key={group} group={group} {...props} />
      ))}
    </>
  );
});

function Group({ group, fields, errors, onChange, onReset }: GroupProps) {
  const specs = SPECS.get(group) ?? [];
  const changed = specs.filter((spec) => fields[spec.key] !== undefined).length;
  const wrong = specs.filter((spec) => errors[spec.key] !== undefined).length;
  return (
    <LazyDetails
      startsOpen={OPEN.has(group)}
      mustOpen={wrong > 0}
      className="border-line border-b"
      data-group={group}
      summary={
        <summary className="flex items-center justify-between gap-3 px-4 py-3 font-semibold text-ink text-sm hover:bg-hover">
          <span className="flex items-center gap-2">
            <Chevron />
            {GROUP_LABELS[group]}
          </span>
          <span className="flex gap-1.5">
            {wrong > 0 ? <Badge tone="danger">{wrong} invalid</Badge> : null}
            {changed > 0 ? (
              <Badge tone="accent">{changed} changed</Badge>
            ) : (
              <span className="font-normal text-ink-3 text-xs">{specs.length}</span>
            )}
          </span>
        </summary>
      }
    >
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
    </LazyDetails>
  );
}
