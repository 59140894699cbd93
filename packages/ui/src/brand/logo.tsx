import { cx } from '../cx.ts';

/** The mark: water falls through an inclined pipe into the spiral casing of a turbine. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cx('size-7', className)} fill="none">
      <path d="M3 5.5h5.2c1.5 0 2.9.8 3.7 2l4.4 7" stroke="currentColor" strokeWidth="4" strokeLinecap="round" />
      <path d="M19.6 12.2a8.1 8.1 0 1 1-7.3 9.9" stroke="var(--accent)" strokeWidth="4" strokeLinecap="round" />
      <circle cx="19.8" cy="20.2" r="2.4" fill="currentColor" />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2.5 text-ink', className)}>
      <LogoMark />
      <span className="font-semibold text-[1.0625rem] tracking-[-0.02em]">Penstock</span>
    </span>
  );
}
