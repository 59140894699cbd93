// Ports for tests: the system's own choice, so that runs side by side do not meet.
import { createServer } from 'node:net';

/** A TCP port of the loopback interface that nobody listens on at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') {
          reject(new Error('The system named no port'));
        } else {
          resolve(address.port);
        }
      });
    });
  });
}
