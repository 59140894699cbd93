import { apply, createState, encodeEntry, meterOf } from '@penstock/metadata-core';
import { newCommit } from './metadata/workload.ts';

const t = crypto.getRandomValues(new Uint8Array(16));
function cpu(name: string, n: number, f: () => void) {
  for (let i = 0; i < n / 4; i++) f();
  const s = process.cpuUsage();
  for (let i = 0; i < n; i++) f();
  const u = process.cpuUsage(s);
  console.log(name, ((u.user + u.system) / n).toFixed(1), 'us cpu');
}
const state = createState('c');
apply(
  state,
  { kind: 'create-topics', topics: [{ name: 'x', topicId: t, partitions: 288, configs: [] }], validateOnly: false },
  Date.now(),
);
const now = Date.now();
for (let k = 0; k < 5; k++)
  cpu('apply', 4000, () => {
    const o = apply(state, newCommit(t), now);
    if (!o.changed) throw new Error(JSON.stringify(o.answer));
  });
const cs = Array.from({ length: 16 }, () => newCommit(t));
for (let k = 0; k < 3; k++)
  cpu('encode entry of 16', 300, () => {
    encodeEntry({ nowMs: now, commands: cs });
  });
