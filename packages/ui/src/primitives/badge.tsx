import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

const TONES = {
  neutral: 'bg-inset text-ink-2 border-line',
  ok: 'bg-ok-wash text-ok-ink border-transparent',
  warn: 'bg-warn-wash text-warn-ink border-transparent',
  danger: 'bg-danger-wash text-danger-ink border-transparent',
  accent: 'bg-accent-wash text-accent-ink border-transparent',
} as const;

const DOTS = {
  neutral: 'bg-ink-3',
  ok: 'bg-ok',
  warn: 'bg-warn',
  danger: 'bg-danger',
  accent: 'bg-accent',
} as const;

export type Tone = keyof typeof TONES;

/** A state in one word. The dot only repeats the word: colour is never the sole carrier of information. */
export function Badge({
  tone = 'neutral',
  dot = false,
  children,
}: {
  tone?: Tone;
  dot?: boolean;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5 items-center gap-1.5 whitespace-nowrap rounded-full border px-2 font-medium text-2xs',
        TONES[tone],
      )}
    >
      {dot ? <span aria-hidden className={cx('size-1.5 rounded-full', DOTS[tone])} /> : null}
      {children}
    </span>
  );
}
