import type { ReactNode } from 'react';

export function PageHeader({
  title,
  description,
  actions,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="font-semibold text-2xl text-ink tracking-tight">{title}</h1>
        {description === undefined ? null : (
          <p className="mt-1 max-w-2xl text-ink-2 text-sm leading-6">{description}</p>
        )}
      </div>
      {actions === undefined ? null : <div className="flex gap-2">{actions}</div>}
    </div>
  );
}
