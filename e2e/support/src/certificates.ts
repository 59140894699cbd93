// An authority and certificates that it signed, made by openssl, for tests.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** A certificate as PEM files. */
export interface Certificate {
  certFile: string;
  keyFile: string;
}

export class TestAuthority {
  readonly folder: string;
  readonly certFile: string;
  readonly #keyFile: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.certFile = join(folder, 'ca.pem');
    this.#keyFile = join(folder, 'ca-key.pem');
  }

  /** @throws when openssl is not installed */
  static async create(): Promise<TestAuthority> {
    const authority = new TestAuthority(await mkdtemp(join(tmpdir(), 'penstock-test-ca-')));
    const subject = ['-days', '2', '-subj', '/CN=tests'];
    await openssl(['req', '-x509', ...CURVE, ...subject, '-keyout', authority.#keyFile, '-out', authority.certFile]);
    return authority;
  }

  /** Issues a certificate for 127.0.0.1 and these names, for servers and clients. */
  async issue(name: string, hostNames: readonly string[] = []): Promise<Certificate> {
    const file = (ending: string): string => join(this.folder, `${name}${ending}`);
    const [certFile, keyFile, request, extensions] = [file('.pem'), file('-key.pem'), file('.csr'), file('.ext')];
    await openssl(['req', '-new', ...CURVE, '-subj', `/CN=${name}`, '-keyout', keyFile, '-out', request]);
    const names = ['IP:127.0.0.1', ...hostNames.map((host) => `DNS:${host}`)].join();
    await writeFile(extensions, `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
    // A serial of its own each: openssl's file of serials breaks when two are issued at once.
    const serial = ['-set_serial', `0x${randomBytes(16).toString('hex')}`];
    const authority = ['-CA', this.certFile, '-CAkey', this.#keyFile, ...serial];
    await openssl([
      'x509',
      '-req',
      '-days',
      '2',
      '-in',
      request,
      ...authority,
      '-extfile',
      extensions,
      '-out',
      certFile,
    ]);
    return { certFile, keyFile };
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

async function openssl(args: string[]): Promise<void> {
  await promisify(execFile)('openssl', args);
}
