'use client';

import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

const ITEM =
  'flex min-h-8 w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm text-ink-2 outline-none select-none ' +
  'data-[highlighted]:bg-hover data-[highlighted]:text-ink [&_svg]:size-4 [&_svg]:shrink-0';

/** A drop-down menu; `trigger` must be one element that accepts a ref (a button). */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
}) {
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="rise-in z-50 min-w-52 max-w-[calc(100vw-1rem)] rounded-lg border border-line bg-surface p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export interface MenuItemProps {
  children: ReactNode;
  onSelect?: () => void;
  asChild?: boolean;
  tone?: 'plain' | 'danger';
}

export function MenuItem({ children, onSelect, asChild = false, tone = 'plain' }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      asChild={asChild}
      {...(onSelect === undefined ? {} : { onSelect })}
      className={cx(ITEM, tone === 'danger' && 'text-danger-ink data-[highlighted]:text-danger-ink')}
    >
      {children}
    </DropdownMenu.Item>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-ink-3 text-xs">{children}</DropdownMenu.Label>;
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="my-1 h-px bg-line" />;
}

export interface MenuChoiceOption {
  value: string;
  label: string;
  icon?: ReactNode;
}

/** One of several options, e.g. the theme or the organization. */
export function MenuChoice(props: {
  value: string;
  options: readonly MenuChoiceOption[];
  onChange: (value: string) => void;
}) {
  return (
    <DropdownMenu.RadioGroup value={props.value} onValueChange={props.onChange}>
      {props.options.map((option) => (
        <DropdownMenu.RadioItem key={option.value} value={option.value} className={ITEM}>
          {option.icon}
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <DropdownMenu.ItemIndicator>
            <Check aria-hidden className="text-accent-ink" />
          </DropdownMenu.ItemIndicator>
        </DropdownMenu.RadioItem>
      ))}
    </DropdownMenu.RadioGroup>
  );
}

/** Something that can be on or off. The menu stays open, because several are often changed at once. */
export function MenuCheck(props: { checked: boolean; children: ReactNode; onChange: (checked: boolean) => void }) {
  return (
    <DropdownMenu.CheckboxItem
      checked={props.checked}
      onCheckedChange={props.onChange}
      onSelect={(event) => event.preventDefault()}
      className={ITEM}
    >
      <span className="min-w-0 flex-1 truncate">{props.children}</span>
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="text-accent-ink" />
      </DropdownMenu.ItemIndicator>
    </DropdownMenu.CheckboxItem>
  );
}
