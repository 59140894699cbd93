import { cx } from '@penstock/ui';
import { backgroundOf, type Stripe } from './stripes.ts';

/**
 * One horizontal bar on its track. Needs no script and prints in colour. Without a label it is decorative: the text next to it has the same
 * figures.
 */
export function Bar({ stripes, label, className }: { stripes: readonly Stripe[]; label?: string; className?: string }) {
  return (
    <div
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label, title: label })}
      className={cx('rounded-sm bg-inset', className)}
      style={{ backgroundImage: backgroundOf(stripes), printColorAdjust: 'exact' }}
    />
  );
}
