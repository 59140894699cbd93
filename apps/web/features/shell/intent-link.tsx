'use client';

import Link from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link whose page is fetched ahead when somebody points at it or focuses it. By default every link in sight is, and a dashboard
 * page with its forty links would ask the server for forty pages before it shows anything of its own.
 */
export function IntentLink(props: Omit<ComponentProps<typeof Link>, 'prefetch'>) {
  const [isIntended, setIsIntended] = useState(false);
  const intend = (): void => setIsIntended(true);
  return <Link {...props} prefetch={isIntended ? null : false} onMouseEnter={intend} onFocus={intend} />;
}
