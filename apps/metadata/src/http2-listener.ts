// A listener of HTTP/2, in the clear or with TLS, and with client certificates if an authority for them is set. Changed certificates are taken
// up without a restart; open connections keep theirs.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerOptions,
} from 'node:http2';
import { AppError, every, type Logger } from '@penstock/platform';

const RELOAD_INTERVAL_MS = 10_000;
/** A peer that does not finish its handshake holds a connection no longer than this. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** Paths of PEM files for TLS. */
export interface PortTls {
  certFile: string;
  keyFile: string;
  /** Authorities of the callers' certificates. Undefined: callers need none. */
  clientCaFile: string | undefined;
}

/** A port in messages for operators. */
export interface PortName {
  /** Such as `the port for agents`. */
  text: string;
  /** The variables that name its files, and the code of the error about them. */
  variables: string;
  code: string;
}

export const ADMIN_PORT: PortName = {
  text: 'the port for the control plane',
  variables: 'PENSTOCK_METADATA_ADMIN_TLS_CERT, _TLS_KEY and _TLS_CLIENT_CA',
  code: 'admin_tls_unusable',
};

export const AGENT_PORT: PortName = {
  text: 'the port for agents',
  variables: 'PENSTOCK_METADATA_TLS_CERT and PENSTOCK_METADATA_TLS_KEY',
  code: 'agent_tls_unusable',
};

export interface Http2ListenerOptions {
  port: PortName;
  tls: PortTls | undefined;
  logger: Pick<Logger, 'info' | 'error'>;
  /** For the protocol, with TLS and without. */
  http2?: ServerOptions;
  reloadEveryMs?: number;
}

export interface Http2Listener {
  server: Http2Server | Http2SecureServer;
  scheme: 'http' | 'https';
  stop(): void;
}

/** @throws AppError with the port's code when the files cannot be read or do not belong together */
export async function createHttp2Listener(options: Http2ListenerOptions): Promise<Http2Listener> {
  const { port, tls, logger, http2 = {}, reloadEveryMs = RELOAD_INTERVAL_MS } = options;
  if (tls === undefined) {
    return { server: createServer(http2), scheme: 'http', stop: () => undefined };
  }
  let present = await readTls(tls).catch((cause: unknown) => {
    throw unusable(port, cause);
  });
  const server = secureServer(port, present, http2);
  const stop = every(reloadEveryMs, async () => {
    try {
      const now = await readTls(tls);
      if (now.cert !== present.cert || now.key !== present.key || now.ca !== present.ca) {
        server.setSecureContext(contextOf(now));
        present = now;
        logger.info(`the certificate of ${port.text} was replaced`);
      }
    } catch (error) {
      logger.error({ err: error }, `the certificate of ${port.text} cannot be read: the last one is kept`);
    }
  });
  return { server, scheme: 'https', stop };
}

interface TlsTexts {
  cert: string;
  key: string;
  ca: string | undefined;
}

async function readTls({ certFile, keyFile, clientCaFile }: PortTls): Promise<TlsTexts> {
  const [cert, key, ca] = await Promise.all([
    readFile(certFile, 'utf8'),
    readFile(keyFile, 'utf8'),
    clientCaFile === undefined ? undefined : readFile(clientCaFile, 'utf8'),
  ]);
  // A file that is being replaced may be empty for a moment. Node takes an empty key for none, and an empty authority for those of the system.
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the key is not that of the certificate');
  }
  if (ca !== undefined) {
    new X509Certificate(ca);
  }
  return { cert, key, ca };
}

function contextOf({ cert, key, ca }: TlsTexts) {
  return { cert, key, minVersion: 'TLSv1.2' as const, ...(ca === undefined ? {} : { ca }) };
}

function secureServer(port: PortName, texts: TlsTexts, http2: ServerOptions): Http2SecureServer {
  const isMutual = texts.ca !== undefined;
  try {
    return createSecureServer({
      ...http2,
      ...contextOf(texts),
      requestCert: isMutual,
      rejectUnauthorized: isMutual,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    });
  } catch (cause) {
    throw unusable(port, cause);
  }
}

function unusable(port: PortName, cause: unknown): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: port.code,
    message: `The certificate of ${port.text} is not usable: ${cause instanceof Error ? cause.message : cause}.`,
    remedy: `Check ${port.variables}.`,
    cause,
  });
}
