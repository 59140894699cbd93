/**
 * Environment of metadata processes that merge, compact and delete within seconds what waits for minutes and hours otherwise: see
 * install-short-windows.ts.
 */
export const shortWindows = { NODE_OPTIONS: `--import=${new URL('./install-short-windows.ts', import.meta.url).href}` };
