// Every API that agents serve × (not signed in, wrong password, without rights, with rights, super user) × every listener and mechanism.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  APIS,
  ILLEGAL_SASL_STATE,
  SASL_AUTHENTICATION_FAILED,
  SIGN_IN_KEYS,
  UNSUPPORTED_SASL_MECHANISM,
} from './access/apis.ts';
import {
  clientCertificate,
  type ListenerName,
  type SignInMethod,
  signInMethods,
  TestListeners,
} from './access/listeners.ts';
import { admin, alice, allowAlice, answers, asAdmin, ask, createTopic, expected, nobody } from './access/rights.ts';
import { makeCertificates } from './support/certificates.ts';
import type { RawConnection } from './support/raw-connection.ts';
import { handshake, sendToken, signIn } from './support/raw-sign-in.ts';
import { updateSecuritySettings } from './support/security-settings.ts';
import { startTestSystem, type TestSystem } from './support/system.ts';
import { setUsers } from './support/user-credentials.ts';
import { Reader } from './support/wire-reader.ts';

const TIMEOUT_MS = 60_000;
/** Until the agent knows of a change; only for hangs. */
const KNOWN = { timeout: 30_000, interval: 50 };
/** Answers before anybody has signed in: the connection is closed. */
const CLOSED = 'closed';
const users = [nobody, alice, admin];

let system: TestSystem;
let folder: string;
let listeners: TestListeners;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'penstock-matrix-'));
  listeners = await TestListeners.prepare(
    folder,
    users.map(({ user }) => user),
  );
  system = await startTestSystem({ agents: [{ env: listeners.agentEnv() }] });
  const { demo, metadata } = system;
  await setUsers(metadata[0]?.url ?? '', demo ?? { agentKey: '', clusterId: '' }, users);
  await updateSecuritySettings(system, {
    aclMode: 'ACL_MODE_ENFORCED',
    superUsers: ['User:admin'],
    authentication: 'AUTHENTICATION_REQUIREMENT_ALWAYS',
  });
  const plain = listeners.addresses.plain;
  await vi.waitFor(() => asAdmin(plain, 'scram-sha-256', allowAlice), KNOWN);
  await asAdmin(plain, 'scram-sha-256', createTopic);
  await vi.waitFor(async () => {
    const [method = { listener: 'plain', mechanism: 'SCRAM-SHA-256' }] = signInMethods;
    const { connection } = await listeners.signIn(method, alice);
    const [first] = APIS;
    expect(first === undefined ? -1 : await ask(connection, first)).toBe(0);
    connection.close();
  }, KNOWN);
});

afterAll(async () => {
  await system?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Every API, each on a connection of its own: what `enter` leaves open must be closed by it. */
async function closedAnswers(enter: () => Promise<RawConnection>): Promise<Record<string, number | string>> {
  const answered = await Promise.all(
    APIS.map(async (api) => {
      try {
        const connection = await enter();
        const outcome = await ask(connection, api).catch(() => CLOSED);
        connection.close();
        return [api.name, outcome];
      } catch {
        return [api.name, CLOSED];
      }
    }),
  );
  return Object.fromEntries(answered);
}

/** Share consumers find these listed, and get UNSUPPORTED_VERSION: ShareGroupHeartbeat, ShareFetch, ShareAcknowledge. */
const REFUSED_KEYS = [76, 78, 79];

const allClosed = Object.fromEntries(APIS.map(({ name }) => [name, CLOSED]));

async function served(connection: RawConnection): Promise<number[]> {
  const reader = new Reader(await connection.ask(SIGN_IN_KEYS.apiVersions, 0, Buffer.alloc(0), TIMEOUT_MS));
  expect(reader.int16()).toBe(0);
  return reader.array(() => [reader.int16(), reader.int16(), reader.int16()][0] ?? -1);
}

describe.each(['plain', 'tls'] as const)('a client that has not signed in, listener %s', (listener: ListenerName) => {
  test('gets exactly the listed APIs of the matrix', async () => {
    const connection = await listeners.open(listener);
    const keys = [...APIS.map(({ key }) => key), ...Object.values(SIGN_IN_KEYS), ...REFUSED_KEYS];
    expect((await served(connection)).sort((a, b) => a - b)).toEqual(keys.sort((a, b) => a - b));
    connection.close();
  });

  test('is cut off by every API that is not part of signing in', async () => {
    expect(await closedAnswers(() => listeners.open(listener))).toEqual(allClosed);
  });

  test('learns the mechanisms and must name one before a token', async () => {
    const connection = await listeners.open(listener);
    expect(await handshake(connection, 'GSSAPI')).toBe(UNSUPPORTED_SASL_MECHANISM);
    const other = await listeners.open(listener);
    expect((await sendToken(other, Buffer.from('\0admin\0of-admin'))).errorCode).toBe(ILLEGAL_SASL_STATE);
    await expect(served(other)).rejects.toThrow();
  });
});

test('a listener that demands a certificate serves no others', async () => {
  expect(await closedAnswers(() => listeners.open('mutual'))).toEqual(allClosed);
  const other = await mkdtemp(join(folder, 'other-'));
  await makeCertificates(other);
  const forged = await clientCertificate(other, admin.user);
  expect(await closedAnswers(() => listeners.open('mutual', forged))).toEqual(allClosed);
});

const withPasswords = signInMethods.filter(({ mechanism }) => mechanism !== 'certificate');

describe.each(withPasswords)('$mechanism, listener $listener', ({ listener, mechanism }: SignInMethod) => {
  test('a wrong password opens no API', async () => {
    const codes: number[] = [];
    let entered = 0;
    const enter = async (): Promise<RawConnection> => {
      // Guesses at one user's password wait for each other, longer each time.
      const user = entered === 0 ? admin.user : `${admin.user}-${entered}`;
      entered += 1;
      const connection = await listeners.open(listener);
      if (mechanism !== 'certificate') {
        codes.push(await signIn(connection, mechanism, user, 'wrong'));
      }
      return connection;
    };
    expect(await closedAnswers(enter)).toEqual(allClosed);
    expect(codes).toEqual(APIS.map(() => SASL_AUTHENTICATION_FAILED));
  });
});

describe.each(signInMethods)('$mechanism, listener $listener', (method: SignInMethod) => {
  test('a client without rights is refused as on Apache Kafka', async () => {
    const { connection, errorCode } = await listeners.signIn(method, nobody);
    expect(errorCode).toBe(0);
    expect(await answers(connection)).toEqual(expected('denied'));
    connection.close();
  });

  test.each([
    ['with the rights', alice],
    ['a super user', admin],
  ])('%s', async (_, user) => {
    const { connection, errorCode } = await listeners.signIn(method, user);
    expect(errorCode).toBe(0);
    expect(await answers(connection)).toEqual(expected('allowed'));
    expect(await served(connection)).toContain(SIGN_IN_KEYS.saslAuthenticate);
    if (method.mechanism === 'certificate') {
      expect(await handshake(connection, 'SCRAM-SHA-256')).toBe(UNSUPPORTED_SASL_MECHANISM);
    } else {
      const secret = method.mechanism === 'OAUTHBEARER' ? listeners.provider.tokenFor(user.user) : user.password;
      expect(await signIn(connection, method.mechanism, user.user, secret)).toBe(0);
      expect((await sendToken(connection, Buffer.from('out of turn'))).errorCode).toBe(ILLEGAL_SASL_STATE);
    }
    connection.close();
  });
});
