'use client';

import { Button } from '@penstock/ui';
import { Menu, X } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useId, useState } from 'react';
import { SITE_LINKS } from './site-links';

/** The header's links as a menu on narrow screens. */
export function SiteMenu() {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) {
      return undefined;
    }
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') {
        setIsOpen(false);
      }
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);
  return (
    <div className="md:hidden">
      <Button
        variant="quiet"
        size="icon"
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen((before) => !before)}
      >
        {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
      </Button>
      <nav
        id={id}
        aria-label="Site menu"
        hidden={!isOpen}
        className="absolute inset-x-0 top-16 border-line border-y bg-bg px-4 py-2 shadow-float"
      >
        {[...SITE_LINKS, { href: '/sign-in', label: 'Sign in' }].map(({ href, label }) => (
          <Link
            key={href}
            href={href}
            onClick={() => setIsOpen(false)}
            className="block rounded-md px-3 py-2.5 text-ink-2 text-sm hover:bg-hover hover:text-ink"
          >
            {label}
          </Link>
        ))}
      </nav>
    </div>
  );
}
