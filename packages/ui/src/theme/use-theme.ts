'use client';

import { useCallback, useSyncExternalStore } from 'react';
import { parseThemePreference, resolveTheme, THEME_STORAGE_KEY, type ThemePreference } from './theme-preference.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function readPreference(): ThemePreference {
  return parseThemePreference(window.localStorage.getItem(THEME_STORAGE_KEY));
}

/** The user's theme, and a setter that applies here and in every open tab. */
export function useTheme(): readonly [ThemePreference, (next: ThemePreference) => void] {
  const preference = useSyncExternalStore(subscribe, readPreference, (): ThemePreference => 'system');
  const change = useCallback((next: ThemePreference) => {
    window.localStorage.setItem(THEME_STORAGE_KEY, next);
    const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset['theme'] = resolveTheme(next, systemIsDark);
    for (const listener of listeners) {
      listener();
    }
  }, []);
  return [preference, change];
}
