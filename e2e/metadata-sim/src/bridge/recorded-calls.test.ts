// The recorded calls, frame by frame.
import { type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import { describeRecordedCalls, type RecordedCallsHarness } from '@penstock/metadata/contract';
import { CLUSTER_HEADER, MetadataService, type WatchEvent, WatchEventSchema } from '@penstock/metadata-protocol';
import { createLogger } from '@penstock/platform';
import { Bridge } from './bridge.ts';
import type { Frame } from './frames.ts';

const ANSWER_WITHIN_MS = 10_000;
const NO_BODY = new Uint8Array(0);

/** A bridge in this process, and what it has said that nobody has taken yet. */
class Driver {
  readonly #bridge = new Bridge({ seed: 1, logger: createLogger({ name: 'bridge', level: 'silent' }) });
  readonly #said: Frame[] = [];
  #lastId = 0;
  #nextAtMs = this.#bridge.nowMs;

  get nowMs(): number {
    return this.#bridge.nowMs;
  }

  async start(method: DescMethod, body: Uint8Array): Promise<number> {
    const { agentKey, cluster } = this.#bridge.ready.header;
    const headers = { authorization: `Bearer ${agentKey}`, [CLUSTER_HEADER]: cluster };
    this.#lastId += 1;
    await this.#send({ type: 'call', id: this.#lastId, method: method.name, headers }, this.nowMs, body);
    return this.#lastId;
  }

  /** The next frame with this id. */
  async take(id: number): Promise<Frame> {
    for (const endMs = this.nowMs + ANSWER_WITHIN_MS; this.nowMs < endMs; ) {
      const at = this.#said.findIndex(({ header }) => header['id'] === id);
      const [frame] = at < 0 ? [] : this.#said.splice(at, 1);
      if (frame !== undefined) {
        return frame;
      }
      await this.#send({ type: 'advance' }, Math.max(this.nowMs, this.#nextAtMs), NO_BODY);
    }
    throw new Error(`call ${id} got no answer`);
  }

  async #send(header: Record<string, unknown>, atMs: number, body: Uint8Array): Promise<void> {
    for (const frame of await this.#bridge.handle({ header: { ...header, atMs }, body })) {
      if (frame.header['type'] === 'idle') {
        this.#nextAtMs = Number(frame.header['nextAtMs'] ?? this.nowMs + ANSWER_WITHIN_MS);
      } else {
        this.#said.push(frame);
      }
    }
  }
}

describeRecordedCalls('the bridge', async (): Promise<RecordedCallsHarness> => {
  const driver = new Driver();
  return {
    nowMs: () => driver.nowMs,
    call: async (method, request) => {
      const id = await driver.start(method, toBinary(method.input, request));
      const { header, body } = await driver.take(id);
      if (header['error'] !== undefined) {
        throw new Error(`${method.name} was refused: ${JSON.stringify(header['error'])}`);
      }
      return fromBinary(method.output, body);
    },
    watch: async (agentId) => {
      const { watch } = MetadataService.method;
      const id = await driver.start(watch, toBinary(watch.input, { $typeName: watch.input.typeName, agentId }));
      return { next: async (): Promise<WatchEvent> => fromBinary(WatchEventSchema, (await driver.take(id)).body) };
    },
    close: async () => undefined,
  };
});
