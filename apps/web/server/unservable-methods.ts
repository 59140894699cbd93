// TRACE is a method that the standard Request refuses to carry, so Next fails on it with 500 before any code of ours runs. Here it
// goes on as OPTIONS, which changes nothing, and is refused wherever that is.
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** Lets no request of this process fail for its method alone. */
export function replaceUnservableMethods(): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = message as { request: IncomingMessage };
    if (request.method === 'TRACE') {
      request.method = 'OPTIONS';
    }
  });
}
