// Takes the real clock, real timers and real randomness away from everything in this process, so that nothing can depend on them.
import { createRequire, syncBuiltinESMExports } from 'node:module';

/** @param nowMs the virtual clock, in milliseconds since the Unix epoch */
export function installVirtualTime(nowMs: () => number): void {
  Date.now = nowMs;
  performance.now = nowMs;
  Math.random = () => forbidden('Math.random');
  Object.assign(globalThis, {
    setTimeout: () => forbidden('setTimeout'),
    setInterval: () => forbidden('setInterval'),
  });
  // The module object whose properties `import` copies.
  const crypto = createRequire(import.meta.url)('node:crypto') as Record<string, unknown>;
  for (const name of ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'randomFill']) {
    crypto[name] = () => forbidden(`crypto.${name}`);
  }
  syncBuiltinESMExports();
}

function forbidden(name: string): never {
  throw new Error(`${name} has no place in a simulation: one seed gives one history`);
}
