'use client';

import { Switch as RadixSwitch } from 'radix-ui';
import { cx } from '../cx.ts';

export interface SwitchProps {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  'aria-labelledby'?: string;
  'aria-describedby'?: string;
  id?: string;
}

export function Switch(props: SwitchProps) {
  return (
    <RadixSwitch.Root
      {...props}
      className={cx(
        'relative h-5 w-9 shrink-0 rounded-full border border-line-input bg-inset transition-colors',
        'data-[state=checked]:border-transparent data-[state=checked]:bg-solid disabled:opacity-55',
      )}
    >
      <RadixSwitch.Thumb className="block size-3.5 translate-x-0.5 rounded-full bg-ink-3 transition-transform data-[state=checked]:translate-x-[1.15rem] data-[state=checked]:bg-on-solid" />
    </RadixSwitch.Root>
  );
}
