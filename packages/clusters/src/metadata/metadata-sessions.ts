// The HTTP/2 connection to a metadata process.
import { Http2SessionManager } from '@connectrpc/connect-node';

/**
 * A manager whose connections never end this process. When the server closes an idle connection at the moment of a call, the library
 * destroys it with an error and stops listening before Node reports the error, which then is nobody's. Callers lose nothing: the errors
 * of calls reach them through their streams.
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
