/** Links in the header of public pages. */
export const SITE_LINKS = [
  { href: '/#how-it-works', label: 'How it works' },
  { href: '/pricing', label: 'Pricing' },
  { href: '/benchmarks', label: 'Benchmarks' },
  { href: '/docs', label: 'Docs' },
  { href: '/docs/api', label: 'API' },
] as const;
