// Connects the official library to a stand-in in the same process: no sockets, thousands of requests a second.
import Stripe from 'stripe';
import { ConnectionLost, type StripeStandIn } from './stand-in.ts';

/** An HTTP client for `openStripe`. */
export function inProcessClient(standIn: StripeStandIn): Stripe.HttpClient {
  return Stripe.createFetchHttpClient(async (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const headers = Object.fromEntries(
      [...new Headers(init?.headers)].map(([name, value]): [string, string] => [name.toLowerCase(), value]),
    );
    try {
      const {
        status,
        headers: answered,
        body,
      } = standIn.handle({
        method: init?.method ?? 'GET',
        path: `${url.pathname}${url.search}`,
        headers,
        body: typeof init?.body === 'string' ? init.body : '',
      });
      return new Response(body, { status, headers: answered });
    } catch (error) {
      if (error instanceof ConnectionLost) {
        throw new TypeError('fetch failed', { cause: error });
      }
      throw error;
    }
  });
}
