// Asks Apache Kafka what the matrix says that it answers, and which APIs it announces: `node e2e/clients/access/compare-with-kafka.ts`. Prints the differences, and fails
// if there is one.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KAFKA_APIS } from '../../../infra/docs/reference/kafka-versions.ts';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { string } from '../support/raw-kafka.ts';
import { signIn } from '../support/raw-sign-in.ts';
import { until } from '../support/run.ts';
import { Reader } from '../support/wire-reader.ts';
import { APIS, SIGN_IN_KEYS } from './apis.ts';
import { admin, alice, allowAlice, answers, asAdmin, ask, createTopic, expected, nobody } from './rights.ts';

const TIMEOUT_MS = 60_000;
const PREPARED_ON_DEMAND = ['FindCoordinator', 'OffsetCommit', 'InitProducerId', 'EndTxn'];
/** A coordinator of a transactional id. */
const FIND_COORDINATOR = { key: 10, version: 1, body: Buffer.concat([string('matrix'), Buffer.from([1])]) };

const users = [nobody, alice, admin].map(({ user, password }) => `user_${user}="${password}"`);
const login = `username="${admin.user}" password="${admin.password}" ${users.join(' ')}`;
const settings = [
  'listener.security.protocol.map=PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms=PLAIN',
  'sasl.mechanism.inter.broker.protocol=PLAIN',
  `listener.name.plaintext.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required ${login};`,
  'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  `super.users=User:${admin.user};User:ANONYMOUS`,
];

/** Key, oldest and newest version of each API. */
async function announcedBy(connection: RawConnection): Promise<number[][]> {
  const reader = new Reader(await connection.ask(SIGN_IN_KEYS.apiVersions, 0, Buffer.alloc(0), TIMEOUT_MS));
  reader.int16(); // error code
  return reader.array(() => [reader.int16(), reader.int16(), reader.int16()]);
}

const folder = join(tmpdir(), `penstock-matrix-kafka-${process.pid}`);
const broker = await startKafkaBroker(folder, '512m', settings);
try {
  await asAdmin(broker.bootstrap, 'plain', createTopic);
  await asAdmin(broker.bootstrap, 'plain', allowAlice);
  const enter = async ({ user, password }: typeof alice): Promise<RawConnection> => {
    const connection = await RawConnection.open(broker.bootstrap, TIMEOUT_MS);
    await signIn(connection, 'PLAIN', user, password);
    return connection;
  };
  // Kafka creates its topics of offsets and transactions and takes its first producer ids when the first client asks for them.
  const connection = await enter(admin);
  const { key, version, body } = FIND_COORDINATOR;
  await connection.ask(key, version, body, TIMEOUT_MS);
  await until('Kafka is ready', async () => {
    const ready: boolean[] = [];
    for (const api of APIS.filter(({ name }) => PREPARED_ON_DEMAND.includes(name))) {
      ready.push((await ask(connection, api)) === api.allowed);
    }
    return ready.every(Boolean);
  });
  const announced = await announcedBy(connection);
  if (
    JSON.stringify(announced) === JSON.stringify(KAFKA_APIS.map(([key, , oldest, newest]) => [key, oldest, newest]))
  ) {
    console.log(`The broker announces the ${announced.length} APIs of kafka-versions.ts`);
  } else {
    console.log(`The broker announces other APIs than kafka-versions.ts says:\n${JSON.stringify(announced)}`);
    process.exitCode = 1;
  }
  const asked = [
    { who: nobody, outcome: 'denied' },
    { who: alice, outcome: 'allowed' },
    { who: admin, outcome: 'allowed' },
  ] as const;
  for (const { who, outcome } of asked) {
    const answered = await answers(await enter(who));
    const differing = Object.entries(expected(outcome)).filter(([name, code]) => answered[name] !== code);
    console.log(`${who.user}: ${APIS.length} APIs, ${differing.length} different`);
    for (const [name, code] of differing) {
      console.log(`  ${name}: Kafka answers ${answered[name]}, the matrix says ${code}`);
      process.exitCode = 1;
    }
  }
} finally {
  await broker.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
