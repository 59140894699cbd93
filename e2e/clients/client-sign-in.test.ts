// Clients in Go and Python sign in with every mechanism that they have, write a record and read it back. authentication.test.ts has kcat,
// kafkajs and Java's tools.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { confluentKafkaPython, goSignIn, kafkaPython } from '../../infra/local/tools.ts';
import { TOPIC } from './access/apis.ts';
import { type SignInMethod, signInMethods, TestListeners } from './access/listeners.ts';
import { OpenProducer } from './access/open-clients.ts';
import { admin, alice, asAdmin, createTopic } from './access/rights.ts';
import { type IssuedFiles, issueClientCertificate, makeCertificates } from './support/certificates.ts';
import { pythonFolder } from './support/clients.ts';
import { type KeyServer, startKeyServer, startTokenEndpoint, type TokenEndpoint } from './support/identity-provider.ts';
import type { RawConnection } from './support/raw-connection.ts';
import { bearer, handshake, sendToken } from './support/raw-sign-in.ts';
import { run } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';

const WRONG = 'wrong';
/** Until the agent knows of a change; only for hangs. */
const KNOWN = { timeout: 30_000, interval: 50 };

interface Client {
  name: string;
  /** A program that reads settings as JSON, and how they name the client. */
  program(): Promise<string[]>;
}

const goClient = (name: string): Client => ({ name, program: async () => [await goSignIn()] });
const pythonClient = (name: string, interpreter: () => Promise<string>): Client => ({
  name,
  program: async () => [await interpreter(), join(pythonFolder, `sign_in_${name.replace('-', '_')}.py`)],
});

const clients: readonly Client[] = [
  goClient('franz-go'),
  goClient('sarama'),
  pythonClient('kafka-python', kafkaPython),
  pythonClient('confluent-kafka', confluentKafkaPython),
];

let system: TestSystem;
let folder: string;
let listeners: TestListeners;
let certificate: IssuedFiles;
let strangeCertificate: IssuedFiles;
let endpoint: TokenEndpoint;
let keyServer: KeyServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-sign-in-'));
  listeners = await TestListeners.prepare(folder, []);
  certificate = await issueClientCertificate(folder, 'client-alice', '/CN=alice');
  const other = await mkdtemp(join(folder, 'other-'));
  await makeCertificates(other);
  strangeCertificate = await issueClientCertificate(other, 'client-alice', '/CN=alice');
  endpoint = await startTokenEndpoint(listeners.provider, alice.password);
  keyServer = await startKeyServer(listeners.provider, listeners.files);
  const keysOverTls = { PENSTOCK_OAUTH_JWKS: keyServer.url, SSL_CERT_FILE: listeners.files.authority };
  const env = { ...listeners.agentEnv(), ...keysOverTls, PENSTOCK_OAUTH_CLOCK_SKEW_MS: '0' };
  system = await startTestSystem({ agents: [{ env }] });
  const { demo, metadata } = system;
  await setUsers(metadata[0]?.url ?? '', demo ?? { agentKey: '', clusterId: '' }, [alice, admin]);
  await vi.waitFor(() => asAdmin(listeners.addresses.plain, 'scram-sha-256', createTopic), KNOWN);
});

afterAll(async () => {
  await system?.stop();
  await endpoint?.stop();
  await keyServer?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The message that the client prints when it is refused. */
function refusalOf({ name }: Client, { mechanism }: SignInMethod): RegExp {
  if (name === 'kafka-python') {
    // It mostly notices the end of the connection before the answer.
    return /Bootstrap connection to .* failed/;
  }
  return mechanism === 'certificate' ? /tls|SSL|brokers are down/i : new RegExp(`cannot sign in with ${mechanism}`);
}

/** Signs in, writes a record and reads it. `isRight`: with the right secret. */
async function signIn(
  client: Client,
  { listener, mechanism }: SignInMethod,
  isRight: boolean,
  more = {},
): Promise<string> {
  const [command = '', ...args] = await client.program();
  const shown = isRight ? certificate : strangeCertificate;
  const token = listeners.provider.tokenFor(alice.user);
  const secret = mechanism === 'OAUTHBEARER' ? token : alice.password;
  const wrong = mechanism === 'OAUTHBEARER' ? `${token.slice(0, token.lastIndexOf('.'))}.AAAA` : WRONG;
  const settings = {
    client: client.name,
    bootstrap: listeners.addresses[listener],
    topic: TOPIC,
    value: `${client.name} ${mechanism}`,
    mechanism: mechanism === 'certificate' ? '' : mechanism,
    user: alice.user,
    secret: isRight ? secret : wrong,
    tokenEndpoint: '',
    authority: listener === 'plain' ? '' : listeners.files.authority,
    certificate: mechanism === 'certificate' ? shown.certificate : '',
    key: mechanism === 'certificate' ? shown.key : '',
    ...more,
  };
  return (await run(command, args, { input: JSON.stringify(settings) })).trim();
}

describe.each(clients)('$name', (client) => {
  test.concurrent.each(signInMethods)('signs in with $mechanism, listener $listener', async (method) => {
    expect(await signIn(client, method, true)).toBe(`${client.name} ${method.mechanism}`);
  });

  test.concurrent.each(signInMethods.filter(({ listener }) => listener !== 'plain'))(
    'cannot sign in with a wrong $mechanism, listener $listener',
    async (method) => {
      await expect(signIn(client, method, false)).rejects.toThrow(refusalOf(client, method));
    },
  );
});

test('confluent-kafka gets its token from the identity provider', async () => {
  const client = pythonClient('confluent-kafka', confluentKafkaPython);
  const method: SignInMethod = { listener: 'tls', mechanism: 'OAUTHBEARER' };
  const withClientSecret = { secret: alice.password, tokenEndpoint: endpoint.url };
  expect(await signIn(client, method, true, withClientSecret)).toBe('confluent-kafka OAUTHBEARER');
  expect(endpoint.issued()).toBeGreaterThan(0);
});

test('a session ends with its token unless it gets a new one', async () => {
  const lifetimeS = 2;
  // An agent’s clock lags by as long as an answer of the metadata service was on its way.
  const lagMs = 1_000;
  const signInFor = async (connection: RawConnection, seconds: number): Promise<number> => {
    expect(await handshake(connection, 'OAUTHBEARER')).toBe(0);
    const answer = await sendToken(connection, bearer(listeners.provider.tokenFor(alice.user, seconds)));
    expect(answer.errorCode).toBe(0);
    return answer.sessionLifetimeMs;
  };
  const [renewing, forgetful] = [await listeners.open('tls'), await listeners.open('tls')];
  for (const connection of [renewing, forgetful]) {
    const lifetimeMs = await signInFor(connection, lifetimeS);
    expect(lifetimeMs).toBeGreaterThan(0);
    expect(lifetimeMs).toBeLessThanOrEqual(lifetimeS * 1_000 + lagMs);
  }
  expect(await signInFor(renewing, 600)).toBeGreaterThan(lifetimeS * 1_000 + lagMs);
  const partition = { topic: TOPIC, partition: 0 };
  const [renewed, ended] = [new OpenProducer(renewing, partition), new OpenProducer(forgetful, partition)];
  expect((await ended.ended).cause?.message).toBe('the connection was closed');
  expect(ended.turns).toBeGreaterThan(0);
  await renewed.flows();
  expect((await renewed.stop()).errorCode).toBe(0);
});
