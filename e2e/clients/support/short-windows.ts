/** Environment of metadata processes with short windows for merging, compaction and deletion: see install-short-windows.ts. */
export const shortWindows = { NODE_OPTIONS: `--import=${new URL('./install-short-windows.ts', import.meta.url).href}` };
