// Certificates for tests: an authority, a listener on 127.0.0.1, a client. Files that openssl makes in a folder.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export interface TlsFiles {
  authority: string;
  certificate: string;
  key: string;
  clientCertificate: string;
  clientKey: string;
  /** The client's certificate and key in one file, as Java reads them. */
  clientPair: string;
}

/** Makes all files. */
export async function makeCertificates(folder: string): Promise<TlsFiles> {
  const file = (name: string): string => join(folder, name);
  const [authority, authorityKey] = [file('ca.pem'), file('ca-key.pem')];
  await run('openssl', [
    'req',
    '-x509',
    ...CURVE,
    '-days',
    '2',
    '-subj',
    '/CN=tests',
    '-keyout',
    authorityKey,
    '-out',
    authority,
  ]);
  const issue = async (name: string, subject: string, extensions: string): Promise<void> => {
    const request = file(`${name}.csr`);
    await run('openssl', [
      'req',
      '-new',
      ...CURVE,
      '-subj',
      subject,
      '-keyout',
      file(`${name}-key.pem`),
      '-out',
      request,
    ]);
    await writeFile(file(`${name}.ext`), extensions);
    await run('openssl', [
      ...['x509', '-req', '-days', '2', '-in', request, '-CA', authority, '-CAkey', authorityKey, '-CAcreateserial'],
      ...['-extfile', file(`${name}.ext`), '-out', file(`${name}.pem`)],
    ]);
  };
  await issue('agent', '/CN=agent', 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  await issue('client', '/O=Example/CN=orders', 'extendedKeyUsage=clientAuth\n');
  const pair = await Promise.all([readFile(file('client-key.pem'), 'utf8'), readFile(file('client.pem'), 'utf8')]);
  await writeFile(file('client-pair.pem'), pair.join(''));
  return {
    authority,
    certificate: file('agent.pem'),
    key: file('agent-key.pem'),
    clientCertificate: file('client.pem'),
    clientKey: file('client-key.pem'),
    clientPair: file('client-pair.pem'),
  };
}
