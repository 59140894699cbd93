'use client';

import { Button, Menu, MenuItem, MenuSeparator, ThemeChoice, useToast } from '@penstock/ui';
import { CircleUserRound, LogOut, UserRound } from 'lucide-react';
import Link from 'next/link';
import { useSession } from '../../lib/session';
import { authClient } from '../auth';

export function UserMenu() {
  const { user } = useSession();
  const toast = useToast();
  const signOut = async () => {
    const { error } = await authClient.signOut();
    if (error === null) {
      window.location.assign('/sign-in');
    } else {
      toast({
        title: 'You’re still signed in',
        description: 'We couldn’t reach the server. Try again.',
        tone: 'danger',
      });
    }
  };
  return (
    <Menu
      trigger={
        <Button variant="quiet" size="icon" aria-label={`Account menu of ${user.email}`}>
          <CircleUserRound aria-hidden className="!size-5" />
        </Button>
      }
    >
      <div className="px-2.5 pt-2 pb-1.5">
        <p className="truncate font-medium text-ink text-sm">{user.name}</p>
        <p className="truncate text-ink-3 text-xs">{user.email}</p>
      </div>
      <MenuSeparator />
      <MenuItem asChild>
        <Link href="/app/account">
          <UserRound aria-hidden />
          Account
        </Link>
      </MenuItem>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden />
        Sign out
      </MenuItem>
    </Menu>
  );
}
