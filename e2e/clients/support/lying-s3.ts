// A proxy in front of an S3 server that can lie: it answers PUTs as the server would, and stores nothing.
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LyingS3 {
  /** The URL, such as http://127.0.0.1:port */
  url: string;
  setLying(isLying: boolean): void;
  /** PUTs that were answered and not carried out. */
  lies(): number;
  close(): Promise<void>;
}

export async function startLyingS3(targetUrl: string): Promise<LyingS3> {
  const target = new URL(targetUrl);
  const agent = new Agent({ keepAlive: true });
  let isLying = false;
  let lies = 0;
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (isLying && request.method === 'PUT') {
      request.resume().once('end', () => {
        lies += 1;
        response.writeHead(200, { etag: '"00000000000000000000000000000000"' }).end();
      });
      return;
    }
    const { method, url: path, headers } = request;
    const forwarded = httpRequest(
      { agent, host: target.hostname, port: target.port, method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setLying: (value) => {
      isLying = value;
    },
    lies: () => lies,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
