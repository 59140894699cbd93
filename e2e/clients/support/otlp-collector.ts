// A collector of OpenTelemetry traces: accepts binary OTLP over HTTP and keeps the spans.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  /** The sender's attribute `service.name`. */
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the root span of its trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, string>;
}

export interface OtlpCollector {
  /** The value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Every message as received. */
  bodies: Buffer[];
  headers: IncomingHttpHeaders[];
  close(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const isGood = request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      if (isGood) {
        bodies.push(body);
        headers.push(request.headers);
        spans.push(...spansOf(body));
      }
      response.writeHead(isGood ? 200 : 400, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Field numbers from opentelemetry/proto/trace/v1/trace.proto. */
function spansOf(body: Buffer): CollectedSpan[] {
  return messages(body, 1).flatMap((resourceSpans) => {
    const service = messages(resourceSpans, 1).map((resource) => attributesOf(resource, 1)['service.name'] ?? '')[0];
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => ({
        service: service ?? '',
        traceId: first(span, 1).toString('hex'),
        spanId: first(span, 2).toString('hex'),
        parentSpanId: first(span, 4).toString('hex'),
        name: first(span, 5).toString(),
        attributes: attributesOf(span, 9),
      }));
  });
}

/** Returns the attributes with string values. */
function attributesOf(message: Buffer, field: number): Record<string, string> {
  return Object.fromEntries(
    messages(message, field).map((pair) => [first(pair, 1).toString(), first(first(pair, 2), 1).toString()]),
  );
}

function first(message: Buffer, field: number): Buffer {
  return messages(message, field)[0] ?? Buffer.alloc(0);
}

/** All values of a length-delimited field: messages, strings and bytes. */
function messages(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) {
        return value;
      }
    }
  };
  while (at < message.length) {
    const tag = varint();
    switch (tag & 7) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        if (tag >>> 3 === field) {
          found.push(message.subarray(at, at + length));
        }
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        throw new Error(`No protobuf at byte ${at}`);
    }
  }
  return found;
}
