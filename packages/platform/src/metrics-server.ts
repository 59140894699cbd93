// A listener for `/metrics` alone, for programs whose own port is open to the internet.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { metricsRefusal } from './metrics-access.ts';

export interface MetricsAnswer {
  token: string | undefined;
  contentType: string;
  render: () => string | Promise<string>;
  onFailure: (error: unknown) => void;
}

/** Answers one request for metrics: 401 for callers that may not read them. */
export async function answerMetrics(
  { token, contentType, render, onFailure }: MetricsAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, type: string, text: string): void => {
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
  };
  const refusal = metricsRefusal(request.socket.remoteAddress, request.headers.authorization, token);
  if (refusal !== undefined) {
    return send(401, 'text/plain', `${refusal}\n`);
  }
  try {
    send(200, contentType, await render());
  } catch (error) {
    onFailure(error);
    send(500, 'text/plain', 'the metrics could not be read\n');
  }
}

export async function startMetricsServer(
  address: { port: number; host: string | undefined },
  answer: MetricsAnswer,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] === '/metrics') {
      void answerMetrics(answer, request, response);
    } else {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return server;
}
