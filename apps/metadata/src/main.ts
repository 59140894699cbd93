// Entry point: gives V8 the limits that go with this process's memory, then starts the service (see `serve.ts`).
//
// V8 takes them only when it starts; setting flags later is undefined once there is a heap. So the process replaces itself by one with the
// flags (execve): it keeps its id, its parent and its pipes, so signals and supervisors need no launcher in between that could outlive it.
import { defaultMemoryMib, hasHeapLimit, heapFlags, MEMORY_VARIABLE, parseMemoryMib } from './memory/memory-limit.ts';

const { execArgv, execPath, execve, env } = process;
// A setting that is no number is refused with the others.
const memoryMib = env[MEMORY_VARIABLE] ? parseMemoryMib(env[MEMORY_VARIABLE]) : defaultMemoryMib();
if (memoryMib !== undefined && execve !== undefined && !hasHeapLimit(execArgv, env['NODE_OPTIONS'])) {
  execve(execPath, [execPath, ...execArgv, ...heapFlags(memoryMib), ...process.argv.slice(1)], env);
}
await import('./serve.ts');
