import { cx } from '../cx.ts';

/** A placeholder in the shape of the loading content. Decorative: the region around it has aria-busy. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx('skeleton-pulse block rounded-md bg-inset', className)} />;
}

/** Placeholder rows of a loading table. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-busy="true" className="flex flex-col gap-3 p-4 sm:p-5">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-1/5" />
          <Skeleton className="ml-auto h-4 w-16" />
        </div>
      ))}
    </div>
  );
}
