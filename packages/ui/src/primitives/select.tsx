'use client';

import { Check, ChevronDown } from 'lucide-react';
import { Select as RadixSelect } from 'radix-ui';
import type { Ref } from 'react';
import { cx } from '../cx.ts';
import type { FieldControlProps } from './field.tsx';
import { INPUT_CLASS } from './input-class.ts';

export interface SelectOption {
  value: string;
  label: string;
}

export type SelectProps = Partial<FieldControlProps> & {
  value: string;
  options: readonly SelectOption[];
  onValueChange: (value: string) => void;
  'aria-label'?: string;
  ref?: Ref<HTMLButtonElement>;
};

export function Select({ value, options, onValueChange, ...control }: SelectProps) {
  return (
    <RadixSelect.Root value={value} onValueChange={onValueChange}>
      <RadixSelect.Trigger
        {...control}
        className={cx(INPUT_CLASS, 'flex items-center justify-between gap-2 text-left')}
      >
        <RadixSelect.Value />
        <RadixSelect.Icon>
          <ChevronDown aria-hidden className="size-4 text-ink-3" />
        </RadixSelect.Icon>
      </RadixSelect.Trigger>
      <RadixSelect.Portal>
        <RadixSelect.Content
          position="popper"
          sideOffset={4}
          className="rise-in z-50 max-h-72 min-w-(--radix-select-trigger-width) overflow-hidden rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          <RadixSelect.Viewport>
            {options.map((option) => (
              <RadixSelect.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center justify-between gap-4 rounded-md px-2.5 text-sm outline-none data-[highlighted]:bg-hover"
              >
                <RadixSelect.ItemText>{option.label}</RadixSelect.ItemText>
                <RadixSelect.ItemIndicator>
                  <Check aria-hidden className="size-4" />
                </RadixSelect.ItemIndicator>
              </RadixSelect.Item>
            ))}
          </RadixSelect.Viewport>
        </RadixSelect.Content>
      </RadixSelect.Portal>
    </RadixSelect.Root>
  );
}
