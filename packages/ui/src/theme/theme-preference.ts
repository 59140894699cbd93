// The user's theme, stored in the browser. public/theme-init.js of the web app applies it before the first paint and must use the same key
// and values.

export const THEME_STORAGE_KEY = 'penstock-theme';

export type ThemePreference = 'system' | 'light' | 'dark';

export function parseThemePreference(stored: string | null): ThemePreference {
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** The theme to draw: the user's choice, or the operating system's. */
export function resolveTheme(preference: ThemePreference, systemIsDark: boolean): 'light' | 'dark' {
  if (preference === 'system') {
    return systemIsDark ? 'dark' : 'light';
  }
  return preference;
}
