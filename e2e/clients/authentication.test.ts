// Real clients sign in with each mechanism that they have, over TLS and without it, and get nothing without the right password.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@penstock/servers/free-port';
import { Kafka, logLevel, type SASLOptions } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCertificates, type TlsFiles } from './support/certificates.ts';
import { type IdentityProvider, startIdentityProvider } from './support/identity-provider.ts';
import { kafkaTool } from './support/java-tools.ts';
import { run } from './support/run.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';

const alice = { user: 'alice', password: 'a,b=c ä' };
const TOPIC = 'signed-in';
const mechanisms = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;
type Mechanism = (typeof mechanisms)[number];

let system: TestSystem;
let folder: string;
let files: TlsFiles;
let provider: IdentityProvider;
let plain: string;
let tls: string;
let mutual: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-tls-'));
  files = await makeCertificates(folder);
  provider = await startIdentityProvider(join(folder, 'keys.json'));
  const addresses = [await freePort(), await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`);
  [plain = '', tls = '', mutual = ''] = addresses;
  const withTls = `tls=${files.certificate}:${files.key}`;
  system = await startTestSystem({
    agents: [
      {
        env: {
          ...provider.agentEnv,
          PENSTOCK_LISTENER: [
            `name=plain,address=${plain}`,
            `name=tls,address=${tls},${withTls},auth=scram+plain+oauthbearer`,
            `name=mutual,address=${mutual},${withTls},client_ca=${files.authority}`,
          ].join(';'),
        },
      },
    ],
  });
  await kcat(plain, ['-P', '-t', TOPIC], {}, 'before anybody signed in\n');
  const { demo, metadata } = system;
  if (demo === undefined || metadata[0] === undefined) {
    throw new Error('The system has no demo cluster');
  }
  await setUsers(metadata[0].url, demo, [alice]);
  // From the change on, for as long as we promise.
  await vi.waitFor(() => expect(kcat(plain, ['-L', '-m', '1'], {})).rejects.toThrow(), { timeout: 3_000 });
});

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function kcat(bootstrap: string, args: string[], settings: Record<string, string>, input = ''): Promise<string> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-X', `${name}=${value}`]);
  return run('kcat', ['-b', bootstrap, ...flags, ...args], { input });
}

function librdkafka(mechanism: Mechanism, { user, password }: typeof alice, isTls = true): Record<string, string> {
  return {
    'security.protocol': isTls ? 'SASL_SSL' : 'SASL_PLAINTEXT',
    ...(isTls ? { 'ssl.ca.location': files.authority } : {}),
    'sasl.mechanism': mechanism,
    'sasl.username': user,
    'sasl.password': password,
  };
}

async function javaSettings(mechanism: Mechanism, { user, password }: typeof alice): Promise<string> {
  const login = mechanism === 'PLAIN' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule';
  const file = join(folder, `${mechanism}-${user}-${password.length}.properties`);
  const lines = [
    'security.protocol=SASL_SSL',
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${files.authority}`,
    `sasl.mechanism=${mechanism}`,
    `sasl.jaas.config=org.apache.kafka.common.security.${login} required username="${user}" password="${password}";`,
  ];
  // Java reads such files as Latin-1, so everything else is escaped.
  const escaped = lines
    .join('\n')
    .replaceAll(/[^ -~\n]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  await writeFile(file, `${escaped}\n`);
  return file;
}

function kafkajs(mechanism: Mechanism, { user, password }: typeof alice, ca: string): Kafka {
  const sasl = { mechanism: mechanism.toLowerCase(), username: user, password } as SASLOptions;
  return new Kafka({ brokers: [tls], ssl: { ca }, sasl, logLevel: logLevel.NOTHING, retry: { retries: 0 } });
}

/** The values of the topic so far. */
async function values(): Promise<string[]> {
  const read = await kcat(tls, ['-C', '-t', TOPIC, '-e', '-q'], librdkafka('SCRAM-SHA-512', alice));
  return read.trim().split('\n');
}

describe.each(mechanisms)('%s over TLS', (mechanism) => {
  test('librdkafka produces and consumes', async () => {
    await kcat(tls, ['-P', '-t', TOPIC], librdkafka(mechanism, alice), `librdkafka ${mechanism}\n`);
    expect(await values()).toContain(`librdkafka ${mechanism}`);
  });

  test('kafkajs produces and detects a wrong password', async () => {
    const ca = await readFile(files.authority, 'utf8');
    const producer = kafkajs(mechanism, alice, ca).producer();
    await producer.connect();
    await producer.send({ topic: TOPIC, messages: [{ value: `kafkajs ${mechanism}` }] });
    await producer.disconnect();
    expect(await values()).toContain(`kafkajs ${mechanism}`);
    const wrong = kafkajs(mechanism, { ...alice, password: 'wrong' }, ca).admin();
    await expect(wrong.connect()).rejects.toThrow(`cannot sign in with ${mechanism}: wrong user name or password`);
    await wrong.disconnect();
  });

  test('the Java tools list topics and detect a wrong password', async () => {
    const list = async (user: typeof alice) =>
      kafkaTool('kafka-topics', [
        '--bootstrap-server',
        tls,
        '--command-config',
        await javaSettings(mechanism, user),
        '--list',
      ]);
    expect((await list(alice)).split('\n')).toContain(TOPIC);
    await expect(list({ ...alice, password: 'wrong' })).rejects.toThrow(`cannot sign in with ${mechanism}`);
  });
});

test('SCRAM works in the clear, and PLAIN is not offered there', async () => {
  await kcat(plain, ['-P', '-t', TOPIC], librdkafka('SCRAM-SHA-256', alice, false), 'in the clear\n');
  expect(await values()).toContain('in the clear');
  await expect(kcat(plain, ['-L', '-m', '2'], librdkafka('PLAIN', alice, false))).rejects.toThrow(/mechanism/i);
});

describe('OAUTHBEARER over TLS', () => {
  const kafkaOf = async (token: string): Promise<Kafka> => {
    const sasl: SASLOptions = {
      mechanism: 'oauthbearer',
      oauthBearerProvider: () => Promise.resolve({ value: token }),
    };
    const ssl = { ca: await readFile(files.authority, 'utf8') };
    return new Kafka({ brokers: [tls], ssl, sasl, logLevel: logLevel.NOTHING, retry: { retries: 0 } });
  };

  test('kafkajs produces with a valid token only', async () => {
    const token = provider.tokenFor('orders');
    const producer = (await kafkaOf(token)).producer();
    await producer.connect();
    await producer.send({ topic: TOPIC, messages: [{ value: 'with a token' }] });
    await producer.disconnect();
    expect(await values()).toContain('with a token');
    const forged = (await kafkaOf(`${token.slice(0, token.lastIndexOf('.'))}.AAAA`)).admin();
    await expect(forged.connect()).rejects.toThrow('cannot sign in with OAUTHBEARER: the token is not accepted');
    await forged.disconnect();
  });

  test('the Java tools list topics with a token', async () => {
    const [settings, token] = [join(folder, 'token.properties'), join(folder, 'token.jwt')];
    await writeFile(token, provider.tokenFor('orders'));
    const oauth = 'org.apache.kafka.common.security.oauthbearer';
    const lines = [
      'security.protocol=SASL_SSL',
      'ssl.truststore.type=PEM',
      `ssl.truststore.location=${files.authority}`,
      'sasl.mechanism=OAUTHBEARER',
      `sasl.login.callback.handler.class=${oauth}.OAuthBearerLoginCallbackHandler`,
      `sasl.jaas.config=${oauth}.OAuthBearerLoginModule required;`,
      `sasl.oauthbearer.token.endpoint.url=file://${token}`,
    ];
    await writeFile(settings, `${lines.join('\n')}\n`);
    const allowed = 'org.apache.kafka.sasl.oauthbearer.allowed';
    const env = { JAVA_TOOL_OPTIONS: `-D${allowed}.files=${token} -D${allowed}.urls=file://${token}` };
    const args = ['--bootstrap-server', tls, '--command-config', settings, '--list'];
    expect((await kafkaTool('kafka-topics', args, { env })).split('\n')).toContain(TOPIC);
  });
});

// Clients are sent to the listener that they came to.
test('a client certificate is enough on its own listener', async () => {
  const settings = {
    'security.protocol': 'SSL',
    'ssl.ca.location': files.authority,
    'ssl.certificate.location': files.clientCertificate,
    'ssl.key.location': files.clientKey,
  };
  await kcat(mutual, ['-P', '-t', TOPIC], settings, 'with a certificate\n');
  expect(await values()).toContain('with a certificate');
  expect(await kcat(mutual, ['-L'], settings)).toContain(`at ${mutual}`);
  expect(await kcat(tls, ['-L'], librdkafka('PLAIN', alice))).toContain(`at ${tls}`);
  const java = join(folder, 'mutual.properties');
  await writeFile(
    java,
    [
      ...['security.protocol=SSL', 'ssl.truststore.type=PEM', `ssl.truststore.location=${files.authority}`],
      ...['ssl.keystore.type=PEM', `ssl.keystore.location=${files.clientPair}`, ''],
    ].join('\n'),
  );
  const listed = await kafkaTool('kafka-topics', ['--bootstrap-server', mutual, '--command-config', java, '--list']);
  expect(listed.split('\n')).toContain(TOPIC);
});

test('a changed password replaces the former one at once', async () => {
  const { demo, metadata } = system;
  if (demo === undefined || metadata[0] === undefined) {
    throw new Error('The system has no demo cluster');
  }
  await setUsers(metadata[0].url, demo, [{ user: 'bob', password: 'first' }]);
  const bob = (password: string) =>
    kcat(tls, ['-L', '-m', '2'], librdkafka('SCRAM-SHA-256', { user: 'bob', password }));
  await vi.waitFor(() => bob('first'), { timeout: 3_000 });
  await setUsers(metadata[0].url, demo, [{ user: 'bob', password: 'second' }]);
  await vi.waitFor(() => bob('second'), { timeout: 3_000 });
  await expect(bob('first')).rejects.toThrow(/Authentication/i);
});
