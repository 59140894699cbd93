import { describe, expect, it } from 'vitest';
import { parseThemePreference, resolveTheme } from './theme-preference.ts';

describe('theme preference', () => {
  it('falls back to the system for anything but a known choice', () => {
    expect(parseThemePreference(null)).toBe('system');
    expect(parseThemePreference('sepia')).toBe('system');
    expect(parseThemePreference('dark')).toBe('dark');
    expect(parseThemePreference('light')).toBe('light');
  });

  it('prefers a choice and otherwise follows the system', () => {
    expect(resolveTheme('light', true)).toBe('light');
    expect(resolveTheme('dark', false)).toBe('dark');
    expect(resolveTheme('system', true)).toBe('dark');
    expect(resolveTheme('system', false)).toBe('light');
  });
});
