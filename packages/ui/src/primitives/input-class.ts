/** The style of all form controls. */
export const INPUT_CLASS =
  'h-9 w-full min-w-0 rounded-md border border-line-input bg-surface px-3 text-sm text-ink placeholder:text-ink-3 ' +
  'focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-focus disabled:opacity-55 ' +
  'aria-invalid:border-danger aria-invalid:focus-visible:outline-danger';
