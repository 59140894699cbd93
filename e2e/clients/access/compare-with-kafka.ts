// Asks Apache Kafka what the matrix says that it answers: `node e2e/clients/access/compare-with-kafka.ts`. Prints the differences, and fails
// if there is one.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKafkaBroker } from '../../../infra/local/kafka-broker.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { signIn } from '../support/raw-sign-in.ts';
import { until } from '../support/run.ts';
import { APIS } from './apis.ts';
import { admin, alice, allowAlice, answers, asAdmin, ask, createTopic, expected, nobody } from './rights.ts';

const TIMEOUT_MS = 60_000;
const PREPARED_ON_DEMAND = ['FindCoordinator', 'OffsetCommit', 'InitProducerId'];

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
  // Kafka creates its topic of offsets and takes its first producer ids when the first client asks for them.
  const connection = await enter(admin);
  await until('Kafka is ready', async () => {
    const ready: boolean[] = [];
    for (const api of APIS.filter(({ name }) => PREPARED_ON_DEMAND.includes(name))) {
      ready.push((await ask(connection, api)) === api.allowed);
    }
    return ready.every(Boolean);
  });
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
