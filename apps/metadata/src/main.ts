// Entry point: sets V8's heap limits from this process's memory limit, then starts the service (see `serve.ts`).
//
// V8 reads the limits only at startup; changing flags once there is a heap is undefined. So the process replaces itself (execve) with one
// that has the flags. It keeps its id, parent and pipes, so signals and supervisors need no launcher process that could outlive it.
import { defaultMemoryMib, hasHeapLimit, heapFlags, MEMORY_VARIABLE, parseMemoryMib } from './memory/memory-limit.ts';

const { execArgv, execPath, execve, env } = process;
// An invalid value is reported later, together with the other settings.
const memoryMib = env[MEMORY_VARIABLE] ? parseMemoryMib(env[MEMORY_VARIABLE]) : defaultMemoryMib();
if (memoryMib !== undefined && execve !== undefined && !hasHeapLimit(execArgv, env['NODE_OPTIONS'])) {
  execve(execPath, [execPath, ...execArgv, ...heapFlags(memoryMib), ...process.argv.slice(1)], env);
}
await import('./serve.ts');
