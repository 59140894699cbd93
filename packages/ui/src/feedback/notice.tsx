import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

const LOOKS = {
  info: { box: 'border-line bg-inset', icon: 'text-ink-3', Icon: Info },
  ok: { box: 'border-ok/30 bg-ok-wash', icon: 'text-ok-ink', Icon: CircleCheck },
  warn: { box: 'border-warn/40 bg-warn-wash', icon: 'text-warn-ink', Icon: TriangleAlert },
  danger: { box: 'border-danger/35 bg-danger-wash', icon: 'text-danger-ink', Icon: CircleAlert },
} as const;

export interface NoticeProps {
  tone?: keyof typeof LOOKS;
  /** Describes the event in one line. */
  title: ReactNode;
  /** Says how to react to it. */
  children?: ReactNode;
  action?: ReactNode;
}

/** A persistent message. Errors are announced assertively, others politely. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const { box, icon, Icon } = LOOKS[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cx('flex items-start gap-3 rounded-lg max-sm:flex-wrap border px-4 py-3 text-sm leading-6', box)}
    >
      <Icon aria-hidden className={cx('mt-1 size-4 shrink-0', icon)} />
      <div className="min-w-0 flex-1 max-sm:basis-[calc(100%-1.75rem)]">
        <p className="font-medium text-ink">{title}</p>
        {children === undefined ? null : <div className="break-words text-ink-2">{children}</div>}
      </div>
      {action === undefined ? null : <div className="shrink-0 max-sm:ml-7">{action}</div>}
    </div>
  );
}
