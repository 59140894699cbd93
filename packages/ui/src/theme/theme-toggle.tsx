'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { Menu, MenuChoice, MenuLabel } from '../overlay/menu.tsx';
import { Button } from '../primitives/button.tsx';
import { parseThemePreference } from './theme-preference.ts';
import { useTheme } from './use-theme.ts';

export const THEME_OPTIONS = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
] as const;

/** Radio choices for use inside a menu. */
export function ThemeChoice() {
  const [preference, change] = useTheme();
  return (
    <>
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice
        value={preference}
        options={THEME_OPTIONS}
        onChange={(value) => change(parseThemePreference(value))}
      />
    </>
  );
}

/** A standalone button, for pages without a user menu. */
export function ThemeToggle() {
  return (
    <Menu
      trigger={
        <Button variant="quiet" size="icon" aria-label="Change theme">
          <Sun aria-hidden className="dark:hidden" />
          <Moon aria-hidden className="hidden dark:block" />
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}
