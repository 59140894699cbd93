// node e2e/metadata-sim/src/bridge/main.ts --seed N [--verbose]: the metadata service over frames on standard input and output. Ends when the
// input ends. With --verbose, its log lines go to standard error. The frame `restart` begins another history in a process whose code is
// compiled already.
import { parseArgs } from 'node:util';
import { createLogger } from '@penstock/platform';
import { Bridge } from './bridge.ts';
import { encodeFrame, type Frame, FrameReader } from './frames.ts';
import { installVirtualTime } from './virtual-time.ts';

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, verbose: { type: 'boolean', default: false } },
});
const logger = createLogger({
  name: 'metadata',
  level: values.verbose ? 'debug' : 'silent',
  destination: { write: (line: string) => void process.stderr.write(line) },
});
let bridge = new Bridge({ seed: Number(values.seed), logger });
installVirtualTime(() => bridge.nowMs);

function write(frames: readonly Frame[]): void {
  process.stdout.write(Buffer.concat(frames.map(encodeFrame)));
}

write([bridge.ready]);
const reader = new FrameReader();
for await (const bytes of process.stdin) {
  for (const frame of reader.push(bytes as Buffer)) {
    if (frame.header['type'] === 'restart') {
      bridge = new Bridge({ seed: Number(frame.header['seed']), logger });
      write([bridge.ready]);
    } else {
      write(await bridge.handle(frame));
    }
  }
}
process.exit();
