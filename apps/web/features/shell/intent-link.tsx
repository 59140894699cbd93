'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link that prefetches its page on hover or focus. By default every visible link prefetches, and a dashboard page with forty links would
 * request forty pages before it shows its own content.
 */
export function IntentLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [isIntended, setIsIntended] = useState(false);
  const intend = (): void => setIsIntended(true);
  return <Link {...props} prefetch={isIntended ? null : false} onMouseEnter={intend} onFocus={intend} />;
}
