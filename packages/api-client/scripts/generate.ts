// `pnpm --filter @penstock/api-client generate`: makes the client's types of the public API's OpenAPI document.
import { mkdir, writeFile } from 'node:fs/promises';
import { renderSchema } from './render-schema.ts';

const folder = new URL('../src/generated/', import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL('schema.ts', folder), await renderSchema());
