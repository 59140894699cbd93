// Calls of the agents' RPC with any bytes as their body, as a program with a stolen agent key makes them.
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { MetadataService } from '@penstock/metadata-protocol';

/** An attacker does not wait longer for an answer. */
const TIMEOUT_MS = 5_000;
/** Reads no more of an answer than this. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bodies that the service does not read wait here. With Node's default of 10, the client itself refuses further calls. */
const MAX_MEMORY_MB = 1_024;

export interface RpcAnswer {
  /** HTTP status; 0 if the connection broke or the call timed out before there was one. */
  status: number;
  body: Buffer;
}

export type Encoding = 'application/proto' | 'application/json' | 'application/connect+proto';

/** A message of a stream. https://connectrpc.com/docs/protocol/#streaming-rpcs */
export function envelope(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

export class RpcCaller {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #session: ClientHttp2Session | undefined;

  constructor(url: string, cluster: { clusterId: string; agentKey: string }) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${cluster.agentKey}`, 'penstock-cluster': cluster.clusterId };
  }

  async call(
    method: string,
    body: Uint8Array | object,
    more: Record<string, string> = {},
    encoding: Encoding = body instanceof Uint8Array ? 'application/proto' : 'application/json',
  ): Promise<RpcAnswer> {
    const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    // A new connection for the next call: what hinders this one must not end the attack.
    return this.#send(method, bytes, more, encoding, (_, session) => session.destroy(), TIMEOUT_MS);
  }

  #send(
    method: string,
    bytes: Uint8Array,
    more: Record<string, string>,
    encoding: Encoding,
    giveUp: (request: ClientHttp2Stream, session: ClientHttp2Session) => void,
    timeoutMs: number,
  ): Promise<RpcAnswer> {
    const session = this.#connected();
    const { promise, resolve } = Promise.withResolvers<RpcAnswer>();
    const request = session.request({
      ':method': 'POST',
      ':path': `/${MetadataService.typeName}/${method}`,
      'content-type': encoding,
      ...this.#headers,
      ...more,
    });
    const chunks: Buffer[] = [];
    let status = 0;
    let received = 0;
    const timer = setTimeout(() => {
      giveUp(request, session);
      resolve({ status, body: Buffer.concat(chunks) });
    }, timeoutMs);
    request.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    request.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > MAX_ANSWER_BYTES) {
        request.destroy();
      } else {
        chunks.push(chunk);
      }
    });
    request.on('error', () => resolve({ status, body: Buffer.concat(chunks) }));
    request.on('close', () => {
      clearTimeout(timer);
      resolve({ status, body: Buffer.concat(chunks) });
    });
    request.end(bytes);
    return promise;
  }

  /** Cancels the call when this time has passed; the connection and its other calls go on. */
  callFor(timeoutMs: number, method: string, bytes: Uint8Array, encoding: Encoding): Promise<RpcAnswer> {
    return this.#send(method, bytes, {}, encoding, (request) => request.close(constants.NGHTTP2_CANCEL), timeoutMs);
  }

  /** The answer of a call in JSON; undefined unless it succeeded. */
  async json<T>(method: string, body: object): Promise<T | undefined> {
    const answer = await this.call(method, body);
    return answer.status === 200 ? (JSON.parse(answer.body.toString()) as T) : undefined;
  }

  close(): void {
    this.#session?.destroy();
  }

  #connected(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.destroyed || this.#session.closed) {
      this.#session = connect(this.#url, { maxSessionMemory: MAX_MEMORY_MB });
      // Each request fails by itself.
      this.#session.on('error', () => undefined);
    }
    return this.#session;
  }
}
