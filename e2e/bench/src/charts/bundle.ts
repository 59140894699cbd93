// Bundles a page of packages/charts/bench into one script, as production does.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../../infra/local/paths.ts';

interface Vite {
  build: (options: object) => Promise<unknown>;
}

/** Vitest's own bundler; nothing else of ours needs one. */
async function bundler(): Promise<Vite> {
  const ofVitest = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'));
  return import(pathToFileURL(ofVitest.resolve('vite')).href);
}

/** The script that draws `charts` charts of a page into the element `#root`. */
export async function bundlePage(page: 'ours' | 'recharts', charts: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-charts-'));
  try {
    const entry = join(folder, 'entry.js');
    const source = join(root, `packages/charts/bench/${page}.tsx`);
    await writeFile(
      entry,
      `import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Page } from ${JSON.stringify(source)};
createRoot(document.getElementById('root')).render(createElement(Page, { charts: ${charts} }));
`,
    );
    const { build } = await bundler();
    const packageOf = (name: string): string => join(root, 'packages/ui/node_modules', name);
    await build({
      configFile: false,
      root: folder,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { runtime: 'automatic' } },
      resolve: { alias: { react: packageOf('react'), 'react-dom': packageOf('react-dom') } },
      build: {
        outDir: join(folder, 'out'),
        lib: { entry, formats: ['iife'], name: 'page', fileName: () => 'page.js' },
      },
    });
    return await readFile(join(folder, 'out/page.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
