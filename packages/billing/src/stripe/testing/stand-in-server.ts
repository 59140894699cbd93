// The stand-in as a server: the API under /v1, pages for users, and webhooks posted to the product.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionLost, type StandInOptions, StripeStandIn } from './stand-in.ts';
import { answerPage } from './stand-in-pages.ts';

export interface StandInServer {
  standIn: StripeStandIn;
  /** The value for STRIPE_API_BASE. */
  url: string;
  /** Where webhooks are sent from now on; undefined holds them back. */
  sendWebhooksTo(url: string | undefined): void;
  close(): Promise<void>;
}

const COURIER_PAUSE_MS = 50;

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

async function serve(standIn: StripeStandIn, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  const path = request.url ?? '/';
  if (path.startsWith('/v1/')) {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
    );
    try {
      const answered = standIn.handle({ method: request.method ?? 'GET', path, headers, body });
      response.writeHead(answered.status, answered.headers).end(answered.body);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) {
        throw error;
      }
      request.socket.destroy();
    }
    return;
  }
  const form = request.method === 'POST' ? new URLSearchParams(body) : undefined;
  const answered = answerPage(standIn, path.split('?')[0] ?? path, form);
  if (answered.status === 303) {
    response.writeHead(303, { location: answered.location }).end();
  } else {
    response.writeHead(answered.status, { 'content-type': 'text/html; charset=utf-8' }).end(answered.html);
  }
}

/** @param port 0 for any free port */
export async function startStandIn(options: StandInOptions, port = 0): Promise<StandInServer> {
  const standIn = new StripeStandIn(options);
  const server = createServer((request, response) => {
    serve(standIn, request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error));
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  standIn.origin = url;

  let target: string | undefined;
  let isClosing = false;
  let courier: Promise<void> = Promise.resolve();
  /**
   * Posts the due webhooks. Those that the product does not accept are dropped: Stripe would retry them, but the
   * product must not depend on that.
   */
  const deliver = async (): Promise<void> => {
    if (target === undefined) {
      return;
    }
    for (const { body } of standIn.takeDue()) {
      await fetch(target, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': standIn.sign(body) },
        body,
        signal: AbortSignal.timeout(10_000),
      }).catch(() => undefined);
    }
  };
  const timer = setInterval(() => {
    if (standIn.nextDelivery !== undefined && !isClosing) {
      courier = courier.then(deliver);
    }
  }, COURIER_PAUSE_MS);
  timer.unref();

  return {
    standIn,
    url,
    sendWebhooksTo: (next) => {
      target = next;
    },
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await courier;
      server.closeAllConnections();
      server.close();
    },
  };
}
