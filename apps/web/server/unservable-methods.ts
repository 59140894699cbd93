// The standard Request does not allow the method TRACE, so Next fails with 500 before our code runs. Here TRACE is changed to OPTIONS,
// which changes no data and is rejected like any other unsupported OPTIONS.
import type { IncomingMessage } from 'node:http';

/** Replaces a method that would make the request fail. */
export function replaceUnservableMethod(request: IncomingMessage): void {
  if (request.method === 'TRACE') {
    request.method = 'OPTIONS';
  }
}
