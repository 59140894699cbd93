// Checks the types of everything with the compiler in Go. One program checks many packages: package by package, each check would read its
// imports again and take five times as long.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root } from './paths.ts';

const projects = [
  'packages/config/tsconfig.node.json',
  'packages/config/tsconfig.drivers.json',
  'apps/web/tsconfig.json',
  'packages/ui/tsconfig.json',
  'packages/charts/tsconfig.json',
];

for (const project of projects) {
  const startMs = performance.now();
  const args = [join(root, 'node_modules/typescript-native/bin/tsc'), '--noEmit', '-p', project];
  const { status } = spawnSync(pinnedNode, args, { cwd: root, stdio: 'inherit' });
  process.stdout.write(
    `${project}: ${status === 0 ? 'passed' : 'failed'} in ${Math.round(performance.now() - startMs)} ms\n`,
  );
  process.exitCode = status === 0 ? process.exitCode : 1;
}
