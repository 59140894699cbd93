// The HTTP/2 connection to a metadata process.
import { Http2SessionManager } from '@connectrpc/connect-node';

/**
 * A manager whose connections never crash this process. When the server closes an idle connection just as a call starts, the library
 * destroys the connection with an error and removes its listener before Node emits that error, which would then be unhandled. Callers
 * still get the errors of their calls through their streams.
 */
export class MetadataSessions extends Http2SessionManager {
  readonly #guarded = new WeakSet<object>();

  override async request(
    ...args: Parameters<Http2SessionManager['request']>
  ): ReturnType<Http2SessionManager['request']> {
    const stream = await super.request(...args);
    const { session } = stream;
    if (session !== undefined && !this.#guarded.has(session)) {
      this.#guarded.add(session);
      session.on('error', () => undefined);
    }
    return stream;
  }
}
