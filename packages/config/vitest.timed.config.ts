// The tests that hold the product to a number of seconds. `npm test` runs them last and one at a time: during builds and other tests, they
// would measure how busy the machine is.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, mergeConfig } from 'vitest/config';
import base, { include, root, TIMED } from './vitest.config.ts';

const files = globSync(include, { cwd: root, exclude: ['**/node_modules/**'] }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes(`tags: ['${TIMED}']`),
);

export default mergeConfig(
  base,
  defineConfig({ test: { projects: [{ extends: true, test: { name: TIMED, include: files } }], maxWorkers: 1 } }),
);
