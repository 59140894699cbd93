// The listener of AdminService: HTTP/2, in the clear or with TLS, and with client certificates if an authority for them is set. Changed
// certificates are taken up without a restart; open connections keep theirs.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureServer, createServer, type Http2SecureServer, type Http2Server } from 'node:http2';
import { AppError, every, type Logger } from '@penstock/platform';

const RELOAD_INTERVAL_MS = 10_000;

/** Paths of PEM files for TLS. */
export interface AdminTls {
  certFile: string;
  keyFile: string;
  /** Authorities of the callers' certificates. Undefined: callers need none. */
  clientCaFile: string | undefined;
}

export interface AdminListener {
  server: Http2Server | Http2SecureServer;
  scheme: 'http' | 'https';
  stop(): void;
}

/** @throws AppError `admin_tls_unusable` when the files cannot be read or do not belong together */
export async function createAdminListener(
  tls: AdminTls | undefined,
  logger: Pick<Logger, 'info' | 'error'>,
  reloadEveryMs = RELOAD_INTERVAL_MS,
): Promise<AdminListener> {
  if (tls === undefined) {
    return { server: createServer(), scheme: 'http', stop: () => undefined };
  }
  let present = await readTls(tls).catch((cause: unknown) => {
    throw unusable(cause);
  });
  const server = secureServer(present);
  const stop = every(reloadEveryMs, async () => {
    try {
      const now = await readTls(tls);
      if (now.cert !== present.cert || now.key !== present.key || now.ca !== present.ca) {
        server.setSecureContext(contextOf(now));
        present = now;
        logger.info('the certificate of the port for the control plane was replaced');
      }
    } catch (error) {
      logger.error(
        { err: error },
        'the certificate of the port for the control plane cannot be read: the last one is kept',
      );
    }
  });
  return { server, scheme: 'https', stop };
}

interface TlsTexts {
  cert: string;
  key: string;
  ca: string | undefined;
}

async function readTls({ certFile, keyFile, clientCaFile }: AdminTls): Promise<TlsTexts> {
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

function secureServer(texts: TlsTexts): Http2SecureServer {
  const isMutual = texts.ca !== undefined;
  try {
    return createSecureServer({ ...contextOf(texts), requestCert: isMutual, rejectUnauthorized: isMutual });
  } catch (cause) {
    throw unusable(cause);
  }
}

function unusable(cause: unknown): AppError {
  return new AppError({
    kind: 'invalid-input',
    code: 'admin_tls_unusable',
    message: `The certificate of the port for the control plane is not usable: ${cause instanceof Error ? cause.message : cause}.`,
    remedy: 'Check PENSTOCK_METADATA_ADMIN_TLS_CERT, _TLS_KEY and _TLS_CLIENT_CA.',
    cause,
  });
}
