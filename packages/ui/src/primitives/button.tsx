import { Slot } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';

const VARIANTS = {
  primary: 'bg-solid text-on-solid hover:bg-solid-hover border-transparent shadow-raised',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-hover shadow-raised',
  quiet: 'bg-transparent text-ink-2 border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-danger text-white border-transparent hover:bg-danger-hover shadow-raised',
} as const;

const SIZES = {
  sm: 'h-8 px-3 text-[0.8125rem] gap-1.5 rounded-md',
  md: 'h-9 px-3.5 text-sm gap-2 rounded-md',
  lg: 'h-11 px-5 text-[0.9375rem] gap-2 rounded-lg',
  icon: 'size-8 rounded-md justify-center',
} as const;

export type ButtonVariant = keyof typeof VARIANTS;
export type ButtonSize = keyof typeof SIZES;

export type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** The action is in progress: the button stays in place, keeps focus and ignores clicks. */
  pending?: boolean;
  /** Renders the child (a link) with a button's style. */
  asChild?: boolean;
};

export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'md'): string {
  return cx(
    'inline-flex items-center justify-center whitespace-nowrap border font-medium select-none transition-colors duration-100',
    'disabled:opacity-55 aria-disabled:opacity-55 aria-disabled:cursor-default [&_svg]:size-4 [&_svg]:shrink-0',
    VARIANTS[variant],
    SIZES[size],
  );
}

export function Button({ variant, size, pending = false, asChild = false, className, onClick, ...rest }: ButtonProps) {
  if (asChild) {
    return <Slot.Root className={cx(buttonClass(variant, size), className)} {...rest} />;
  }
  return (
    <button
      type="button"
      {...rest}
      // aria-disabled instead of disabled: a disabled button would lose keyboard focus.
      aria-disabled={pending || rest['aria-disabled']}
      aria-busy={pending}
      onClick={(event) => {
        if (pending) {
          event.preventDefault();
          return;
        }
        onClick?.(event);
      }}
      className={cx(buttonClass(variant, size), className)}
    />
  );
}
