// The listeners of an agent, and the mechanisms that each offers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { freePort } from '@penstock/servers/free-port';
import { issueClientCertificate, makeCertificates, type TlsFiles } from '../support/certificates.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { type SaslMechanism, signIn } from '../support/raw-sign-in.ts';

const TIMEOUT_MS = 60_000;
/** As tests know them. An agent names no mechanism for certificates. */
export type Mechanism = SaslMechanism | 'certificate';

export interface SignInMethod {
  listener: ListenerName;
  mechanism: Mechanism;
}

export type ListenerName = 'plain' | 'tls' | 'mutual';

const offered: Record<ListenerName, readonly Mechanism[]> = {
  plain: ['SCRAM-SHA-256', 'SCRAM-SHA-512'],
  tls: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'OAUTHBEARER'],
  mutual: ['certificate'],
};

export const signInMethods: readonly SignInMethod[] = (Object.keys(offered) as ListenerName[]).flatMap((listener) =>
  offered[listener].map((mechanism) => ({ listener, mechanism })),
);

/** Listeners of one agent, and everything that clients need to use them. */
export class TestListeners {
  readonly addresses: Record<ListenerName, string>;
  readonly files: TlsFiles;
  readonly provider: IdentityProvider;
  readonly #ca: string;
  readonly #certificates: ReadonlyMap<string, ConnectionOptions>;

  private constructor(
    addresses: Record<ListenerName, string>,
    files: TlsFiles,
    provider: IdentityProvider,
    ca: string,
    certificates: ReadonlyMap<string, ConnectionOptions>,
  ) {
    this.addresses = addresses;
    this.files = files;
    this.provider = provider;
    this.#ca = ca;
    this.#certificates = certificates;
  }

  /** Makes certificates for the users, and picks free ports. */
  static async prepare(folder: string, users: readonly string[]): Promise<TestListeners> {
    const files = await makeCertificates(folder);
    const provider = await startIdentityProvider(join(folder, 'keys.json'));
    const [plain, tls, mutual] = [await freePort(), await freePort(), await freePort()];
    const addresses = { plain: `127.0.0.1:${plain}`, tls: `127.0.0.1:${tls}`, mutual: `127.0.0.1:${mutual}` };
    const issued = await Promise.all(users.map(async (user) => [user, await clientCertificate(folder, user)] as const));
    return new TestListeners(addresses, files, provider, await readFile(files.authority, 'utf8'), new Map(issued));
  }

  /** For the agent that serves them. Principals of certificates are their common names. */
  agentEnv(): Record<string, string> {
    const { authority, certificate, key } = this.files;
    const { plain, tls, mutual } = this.addresses;
    const withTls = `tls=${certificate}:${key}`;
    return {
      ...this.provider.agentEnv,
      PENSTOCK_TLS_PRINCIPAL_RULES: 'RULE:^CN=(.*?)$/$1/',
      PENSTOCK_LISTENER: [
        `name=plain,address=${plain}`,
        `name=tls,address=${tls},${withTls},auth=scram+plain+oauthbearer`,
        `name=mutual,address=${mutual},${withTls},client_ca=${authority}`,
      ].join(';'),
    };
  }

  /** A connection that has not signed in. */
  open(listener: ListenerName, certificate: ConnectionOptions = {}): Promise<RawConnection> {
    const tls = listener === 'plain' ? undefined : { ca: this.#ca, ...certificate };
    return RawConnection.open(this.addresses[listener], TIMEOUT_MS, tls);
  }

  /** A connection, and the error code of the sign-in. */
  async signIn(
    { listener, mechanism }: SignInMethod,
    { user, password }: { user: string; password: string },
  ): Promise<{ connection: RawConnection; errorCode: number }> {
    if (mechanism === 'certificate') {
      return { connection: await this.open(listener, this.#certificates.get(user)), errorCode: 0 };
    }
    const connection = await this.open(listener);
    const secret = mechanism === 'OAUTHBEARER' ? this.provider.tokenFor(user) : password;
    return { connection, errorCode: await signIn(connection, mechanism, user, secret) };
  }
}

/** A client's certificate by the authority in the folder, as Node's TLS takes it. */
export async function clientCertificate(folder: string, user: string): Promise<ConnectionOptions> {
  const issued = await issueClientCertificate(folder, `client-${user}`, `/CN=${user}`);
  return { cert: await readFile(issued.certificate), key: await readFile(issued.key) };
}
