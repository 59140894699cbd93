// TRACE is a method that the standard Request refuses to carry, so Next fails on it with 500 before any code of ours runs. Here it
// goes on as OPTIONS, which changes nothing, and is refused wherever that is.
import type { IncomingMessage } from 'node:http';

/** Lets a request not fail for its method alone. */
export function replaceUnservableMethod(request: IncomingMessage): void {
  if (request.method === 'TRACE') {
    request.method = 'OPTIONS';
  }
}
