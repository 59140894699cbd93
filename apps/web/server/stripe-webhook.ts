// Stripe's webhooks, mounted at /api/stripe/webhook. The body is read unparsed, because the signature covers every byte.
import 'server-only';
import { receiveStripeEvent } from '@penstock/billing';
import { AppError } from '@penstock/platform';
import { getBackend } from './backend';

/** Far above the largest event. Limits what is read before the signature is checked. */
const MAX_BODY_BYTES = 1024 * 1024;

function problem(status: number, code: string, detail: string): Response {
  return Response.json(
    { type: 'about:blank', title: code, status, code, detail },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** The body, or undefined when it exceeds the limit. */
async function readBody(request: Request): Promise<string | undefined> {
  if (request.body === null) {
    return '';
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) {
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns 200 once the event is stored; the worker processes it. */
export async function handleStripeWebhook(request: Request): Promise<Response> {
  const { payments, stripe, logger } = getBackend();
  if (stripe === undefined) {
    return problem(404, 'not_configured', 'This installation doesn’t use Stripe.');
  }
  const rawBody = await readBody(request);
  if (rawBody === undefined) {
    return problem(413, 'webhook_too_large', 'The request is too large to be a Stripe event.');
  }
  try {
    const signatureHeader = request.headers.get('stripe-signature');
    const result = await receiveStripeEvent(
      { database: payments, stripe },
      { rawBody, signatureHeader, now: new Date() },
    );
    return Response.json({ received: result });
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invalid-input') {
      logger.warn({ code: error.code }, 'A webhook was refused');
      return problem(400, error.code, error.message);
    }
    // Not stored, so not acknowledged: Stripe sends it again.
    logger.error({ err: error }, 'A webhook could not be stored');
    return problem(500, 'webhook_not_stored', 'Send it again.');
  }
}
