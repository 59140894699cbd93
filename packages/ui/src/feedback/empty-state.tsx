import type { ReactNode } from 'react';

export interface EmptyStateProps {
  title: string;
  /** Describes the future content and how to get it. */
  children: ReactNode;
  action?: ReactNode;
  icon?: ReactNode;
  /** It is the page's only content, so its title is the page's heading. */
  isPage?: boolean;
}

/** Shows the next step when there is no data yet. */
export function EmptyState({ title, children, action, icon, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      {icon === undefined ? null : (
        <div
          aria-hidden
          className="mb-4 flex size-11 items-center justify-center rounded-xl border border-line bg-inset text-ink-3 [&_svg]:size-5"
        >
          {icon}
        </div>
      )}
      <Title className="font-semibold text-[0.9375rem] text-ink">{title}</Title>
      <div className="mt-1.5 max-w-md text-pretty text-ink-2 text-sm leading-6">{children}</div>
      {action === undefined ? null : <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
