'use client';

import { Button, Menu, MenuItem } from '@penstock/ui';
import { Menu as MenuIcon } from 'lucide-react';
import Link from 'next/link';
import { SITE_LINKS } from './site-links';

/** The header's links on a narrow screen, which has no room for them. */
export function SiteMenu() {
  return (
    <Menu
      trigger={
        <Button variant="quiet" size="icon" aria-label="Menu">
          <MenuIcon aria-hidden />
        </Button>
      }
    >
      {SITE_LINKS.map(({ href, label }) => (
        <MenuItem key={href} asChild>
          <Link href={href}>{label}</Link>
        </MenuItem>
      ))}
      <MenuItem asChild>
        <Link href="/sign-in" className="sm:hidden">
          Sign in
        </Link>
      </MenuItem>
    </Menu>
  );
}
