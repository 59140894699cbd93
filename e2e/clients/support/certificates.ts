// Certificates for tests: an authority, a listener on 127.0.0.1, clients. Files that openssl makes in a folder.
import { randomBytes } from 'node:crypto';
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

export interface IssuedFiles {
  certificate: string;
  key: string;
  /** The key and the certificate in one file. */
  pair: string;
}

/** Creates all certificate files in a folder. */
export async function makeCertificates(folder: string): Promise<TlsFiles> {
  const [authority, authorityKey] = [join(folder, 'ca.pem'), join(folder, 'ca-key.pem')];
  const subject = ['-days', '2', '-subj', '/CN=tests'];
  await run('openssl', ['req', '-x509', ...CURVE, ...subject, '-keyout', authorityKey, '-out', authority]);
  const agent = await issueServerCertificate(folder, 'agent');
  const client = await issueClientCertificate(folder, 'client', '/O=Example/CN=orders');
  return {
    authority,
    certificate: agent.certificate,
    key: agent.key,
    clientCertificate: client.certificate,
    clientKey: client.key,
    clientPair: client.pair,
  };
}

/** A certificate for 127.0.0.1 by the authority in the folder. */
export function issueServerCertificate(folder: string, name: string): Promise<IssuedFiles> {
  return issue(folder, name, `/CN=${name}`, 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
}

/** A certificate for a client by the authority in the folder. `subject`: as `/CN=orders`. */
export function issueClientCertificate(folder: string, name: string, subject: string): Promise<IssuedFiles> {
  return issue(folder, name, subject, 'extendedKeyUsage=clientAuth\n');
}

async function issue(folder: string, name: string, subject: string, extensions: string): Promise<IssuedFiles> {
  const file = (ending: string): string => join(folder, `${name}${ending}`);
  const [request, key, certificate, pair] = [file('.csr'), file('-key.pem'), file('.pem'), file('-pair.pem')];
  // A serial of its own each: openssl's file of serials breaks when two are issued at once.
  const serial = ['-set_serial', `0x${randomBytes(16).toString('hex')}`];
  const authority = ['-CA', join(folder, 'ca.pem'), '-CAkey', join(folder, 'ca-key.pem'), ...serial];
  await run('openssl', ['req', '-new', ...CURVE, '-subj', subject, '-keyout', key, '-out', request]);
  await writeFile(file('.ext'), extensions);
  const signing = ['x509', '-req', '-days', '2', '-in', request, ...authority, '-extfile', file('.ext')];
  await run('openssl', [...signing, '-out', certificate]);
  await writeFile(pair, (await Promise.all([key, certificate].map((path) => readFile(path, 'utf8')))).join(''));
  return { certificate, key, pair };
}
