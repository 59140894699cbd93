// Ready-to-run snippets for unmodified Kafka clients, with the settings to sign in. Pure text. A snippet never contains a password: it reads
// the environment variable KAFKA_PASSWORD.

export interface ClientSnippet {
  id: string;
  label: string;
  title: string;
  code: string;
  note?: string;
}

export const saslMechanisms = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'PLAIN'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];

/** How a client reaches an agent. */
export interface ClientConnection {
  /** The host:port of a listener of any agent. */
  bootstrap: string;
  isTls: boolean;
  /** Null for a client that does not sign in. */
  signIn: { user: string; mechanism: SaslMechanism } | null;
}

/** Where the snippets look for a private certificate authority. */
const CA_FILE = 'ca.pem';

const PASSWORD_NOTE = 'The password comes from the environment variable KAFKA_PASSWORD.';
const CA_NOTE = `If a private authority issued the agents’ certificate, save its certificate as ${CA_FILE} and follow the comment.`;

/** Kafka's name of a combination of TLS and sign-in. */
export function securityProtocol({ isTls, signIn }: ClientConnection): string {
  return `${signIn === null ? '' : 'SASL_'}${isTls ? 'SSL' : 'PLAINTEXT'}`;
}

/** Snippets that write to and read from the topic `hello`, each with its own group: clients of one group must share an assignor. */
export function clientSnippets(connection: ClientConnection): readonly ClientSnippet[] {
  const snippets = [
    java(connection),
    kcat(connection),
    confluentKafka(connection),
    kafkajs(connection),
    franzGo(connection),
    sarama(connection),
    kafkaPython(connection),
    springBoot(connection),
  ];
  const { isTls, signIn } = connection;
  const notes = [...(signIn === null ? [] : [PASSWORD_NOTE]), ...(isTls ? [CA_NOTE] : [])];
  return snippets.map(({ note, ...snippet }) => {
    const all = [...(note === undefined ? [] : [note]), ...notes];
    return all.length === 0 ? snippet : { ...snippet, note: all.join(' ') };
  });
}

/** The lines that are there, in one text. */
function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false).join('\n');
}

/** A text within double quotes, as JavaScript, Python, Go and YAML read it. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A value in a Java properties file, which knows the backslash. */
function propertiesValue(text: string): string {
  return text.replaceAll('\\', '\\\\');
}

/** Within the double quotes of a JAAS configuration. */
function jaasValue(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

/** One word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function loginModule(mechanism: SaslMechanism): string {
  const name = mechanism === 'PLAIN' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule';
  return `org.apache.kafka.common.security.${name}`;
}

function java(connection: ClientConnection): ClientSnippet {
  const { bootstrap, isTls, signIn } = connection;
  const isPlain = !isTls && signIn === null;
  const user = signIn === null ? '' : propertiesValue(jaasValue(signIn.user));
  const properties = lines(
    `security.protocol=${securityProtocol(connection)}`,
    isTls && `# ssl.truststore.type=PEM\n# ssl.truststore.location=${CA_FILE}`,
    signIn !== null && `sasl.mechanism=${signIn.mechanism}`,
    signIn !== null &&
      `sasl.jaas.config=${loginModule(signIn.mechanism)} required username="${user}" password="$KAFKA_PASSWORD";`,
  );
  // The shell fills in the password, and nothing else: the user's name is quoted for it.
  const escaped = properties.replaceAll(/[\\`]|\$(?!KAFKA_PASSWORD)/g, '\\$&');
  const option = (name: string): string => (isPlain ? '' : ` ${name} client.properties`);
  return {
    id: 'java',
    label: 'Java',
    title: 'Terminal',
    code: lines(
      !isPlain && `cat > client.properties <<END\n${escaped}\nEND`,
      `kafka-topics.sh --bootstrap-server ${bootstrap}${option('--command-config')} --create --topic hello --partitions 12
kafka-console-producer.sh --bootstrap-server ${bootstrap}${option('--producer.config')} --topic hello
kafka-console-consumer.sh --bootstrap-server ${bootstrap}${option('--consumer.config')} --topic hello --from-beginning`,
    ),
    note: 'Java clients take the same properties.',
  };
}

/** Settings of librdkafka, without the password. */
function librdkafkaSettings(connection: ClientConnection): [string, string][] {
  const { isTls, signIn } = connection;
  return [
    ...(isTls || signIn !== null ? [['security.protocol', securityProtocol(connection)] as [string, string]] : []),
    ...(signIn === null
      ? []
      : ([
          ['sasl.mechanisms', signIn.mechanism],
          ['sasl.username', signIn.user],
        ] as [string, string][])),
  ];
}

function kcat(connection: ClientConnection): ClientSnippet {
  const { bootstrap, isTls, signIn } = connection;
  const settings = librdkafkaSettings(connection).map(([name, value]) => `-X ${shellWord(`${name}=${value}`)}`);
  const all = [...settings, ...(signIn === null ? [] : ['-X "sasl.password=$KAFKA_PASSWORD"'])].join(' ');
  const options = all === '' ? '' : ` ${all}`;
  return {
    id: 'kcat',
    label: 'kcat, librdkafka',
    title: 'Terminal',
    code: lines(
      isTls && `# Private authority: add -X ssl.ca.location=${CA_FILE}`,
      `# produce three records, then read them back
printf 'one\\ntwo\\nthree\\n' | kcat -b ${bootstrap}${options} -P -t hello
kcat -b ${bootstrap}${options} -C -t hello -o beginning -e`,
    ),
  };
}

interface PythonParts {
  id: ClientSnippet['id'];
  label: string;
  import: string;
  /** Lines of the dictionary `config`, without the indentation. */
  settings: (string | false)[];
  code: string;
}

/** A program that writes a record and reads records until it is stopped. */
function python({ signIn }: ClientConnection, { id, label, settings, code, ...parts }: PythonParts): ClientSnippet {
  return {
    id,
    label,
    title: 'hello.py',
    code: lines(
      signIn !== null && 'import os\n',
      `${parts.import}\n\nconfig = {`,
      ...settings.map((setting) => setting !== false && `    ${setting}`),
      `}\n${code}`,
    ),
    note: `Run pip install ${id}, then python hello.py. Press Ctrl-C to stop.`,
  };
}

function confluentKafka(connection: ClientConnection): ClientSnippet {
  const { bootstrap, isTls, signIn } = connection;
  return python(connection, {
    id: 'confluent-kafka',
    label: 'confluent-kafka (Python)',
    import: 'from confluent_kafka import Consumer, Producer',
    settings: [
      `"bootstrap.servers": ${quoted(bootstrap)},`,
      ...librdkafkaSettings(connection).map(([name, value]) => `${quoted(name)}: ${quoted(value)},`),
      signIn !== null && '"sasl.password": os.environ["KAFKA_PASSWORD"],',
      isTls && `# "ssl.ca.location": "${CA_FILE}",`,
    ],
    code: `producer = Producer(config)
producer.produce("hello", key="greeting", value="Hello, Penstock")
producer.flush()

consumer = Consumer({**config, "group.id": "hello-confluent-kafka", "auto.offset.reset": "earliest"})
consumer.subscribe(["hello"])
while True:
    record = consumer.poll(1.0)
    if record is None:
        continue
    if record.error():
        raise SystemExit(record.error())
    print(record.partition(), record.offset(), record.value().decode(), flush=True)`,
  });
}

function kafkajs({ bootstrap, isTls, signIn }: ClientConnection): ClientSnippet {
  return {
    id: 'kafkajs',
    label: 'kafkajs',
    title: 'hello.mjs',
    code: lines(
      isTls && `// import { readFileSync } from 'node:fs';`,
      `import { Kafka } from 'kafkajs';

const kafka = new Kafka({
  clientId: 'hello',
  brokers: [${quoted(bootstrap)}],`,
      isTls && `  ssl: true,\n  // ssl: { ca: readFileSync('${CA_FILE}', 'utf8') },`,
      signIn !== null &&
        `  sasl: {
    mechanism: ${quoted(signIn.mechanism.toLowerCase())},
    username: ${quoted(signIn.user)},
    password: process.env.KAFKA_PASSWORD,
  },`,
      `});

const producer = kafka.producer();
await producer.connect();
await producer.send({ topic: 'hello', messages: [{ key: 'greeting', value: 'Hello, Penstock' }] });
await producer.disconnect();

const consumer = kafka.consumer({ groupId: 'hello-kafkajs' });
await consumer.connect();
await consumer.subscribe({ topic: 'hello', fromBeginning: true });
await consumer.run({
  eachMessage: async ({ partition, message }) => {
    console.log(partition, message.offset, message.value?.toString());
  },
});`,
    ),
    note: 'Run npm install kafkajs, then node hello.mjs. Press Ctrl-C to stop.',
  };
}

function franzGo({ bootstrap, isTls, signIn }: ClientConnection): ClientSnippet {
  const auth = (mechanism: SaslMechanism, user: string): string => {
    const fields = `User: ${quoted(user)}, Pass: os.Getenv("KAFKA_PASSWORD")`;
    return mechanism === 'PLAIN'
      ? `plain.Auth{${fields}}.AsMechanism()`
      : `scram.Auth{${fields}}.AsSha${mechanism === 'SCRAM-SHA-256' ? '256' : '512'}Mechanism()`;
  };
  const folder = signIn?.mechanism === 'PLAIN' ? 'plain' : 'scram';
  return {
    id: 'franz-go',
    label: 'franz-go',
    title: 'main.go',
    code: lines(
      `package main

import (
	"context"
	"fmt"`,
      signIn !== null && '\t"os"',
      `
	"github.com/twmb/franz-go/pkg/kgo"`,
      signIn !== null && `	"github.com/twmb/franz-go/pkg/sasl/${folder}"`,
      `)

func main() {
	client, err := kgo.NewClient(
		kgo.SeedBrokers(${quoted(bootstrap)}),`,
      isTls &&
        '\t\t// Private authority: kgo.DialTLSConfig(&tls.Config{RootCAs: pool}) with the certificates of ca.pem\n\t\tkgo.DialTLS(),',
      signIn !== null && `\t\tkgo.SASL(${auth(signIn.mechanism, signIn.user)}),`,
      `		kgo.ConsumeTopics("hello"),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
	)
	if err != nil {
		panic(err)
	}
	defer client.Close()
	ctx := context.Background()
	record := &kgo.Record{Topic: "hello", Value: []byte("Hello, Penstock")}
	if err := client.ProduceSync(ctx, record).FirstErr(); err != nil {
		panic(err)
	}
	client.PollFetches(ctx).EachRecord(func(record *kgo.Record) {
		fmt.Println(record.Partition, record.Offset, string(record.Value))
	})
}`,
    ),
  };
}

function sarama({ bootstrap, isTls, signIn }: ClientConnection): ClientSnippet {
  const scram = signIn !== null && signIn.mechanism !== 'PLAIN' ? signIn.mechanism : null;
  const hash = scram === 'SCRAM-SHA-256' ? 'SHA256' : 'SHA512';
  return {
    id: 'sarama',
    label: 'sarama',
    title: 'main.go',
    code: lines(
      `package main

import (
	"fmt"`,
      signIn !== null && '\t"os"',
      `
	"github.com/IBM/sarama"`,
      scram !== null && '\t"github.com/xdg-go/scram"',
      `)

func main() {
	config := sarama.NewConfig()
	config.Producer.Return.Successes = true`,
      isTls &&
        '\tconfig.Net.TLS.Enable = true\n\t// Private authority: config.Net.TLS.Config = &tls.Config{RootCAs: pool} with the certificates of ca.pem',
      signIn !== null &&
        `	config.Net.SASL.Enable = true
	config.Net.SASL.User = ${quoted(signIn.user)}
	config.Net.SASL.Password = os.Getenv("KAFKA_PASSWORD")
	config.Net.SASL.Mechanism = sarama.SASLMechanism(${quoted(signIn.mechanism)})`,
      scram !== null &&
        '\tconfig.Net.SASL.SCRAMClientGeneratorFunc = func() sarama.SCRAMClient { return &scramClient{} }',
      `	producer, err := sarama.NewSyncProducer([]string{${quoted(bootstrap)}}, config)
	if err != nil {
		panic(err)
	}
	defer producer.Close()
	message := &sarama.ProducerMessage{Topic: "hello", Value: sarama.StringEncoder("Hello, Penstock")}
	partition, offset, err := producer.SendMessage(message)
	if err != nil {
		panic(err)
	}
	fmt.Println(partition, offset)
}`,
      scram !== null &&
        `
type scramClient struct {
	conversation *scram.ClientConversation
}

func (c *scramClient) Begin(user, password, authzID string) error {
	client, err := scram.${hash}.NewClient(user, password, authzID)
	if err == nil {
		c.conversation = client.NewConversation()
	}
	return err
}

func (c *scramClient) Step(challenge string) (string, error) { return c.conversation.Step(challenge) }

func (c *scramClient) Done() bool { return c.conversation.Done() }`,
    ),
  };
}

function kafkaPython(connection: ClientConnection): ClientSnippet {
  const { bootstrap, isTls, signIn } = connection;
  return python(connection, {
    id: 'kafka-python',
    label: 'kafka-python',
    import: 'from kafka import KafkaConsumer, KafkaProducer',
    settings: [
      `"bootstrap_servers": ${quoted(bootstrap)},`,
      (isTls || signIn !== null) && `"security_protocol": "${securityProtocol(connection)}",`,
      isTls && `# "ssl_cafile": "${CA_FILE}",`,
      signIn !== null && `"sasl_mechanism": ${quoted(signIn.mechanism)},`,
      signIn !== null && `"sasl_plain_username": ${quoted(signIn.user)},`,
      signIn !== null && '"sasl_plain_password": os.environ["KAFKA_PASSWORD"],',
    ],
    code: `producer = KafkaProducer(**config)
producer.send("hello", key=b"greeting", value=b"Hello, Penstock").get(timeout=30)
producer.close()

consumer = KafkaConsumer("hello", group_id="hello-kafka-python", auto_offset_reset="earliest", **config)
for record in consumer:
    print(record.partition, record.offset, record.value.decode(), flush=True)`,
  });
}

function springBoot(connection: ClientConnection): ClientSnippet {
  const { bootstrap, isTls, signIn } = connection;
  const protocol = securityProtocol(connection);
  // Spring replaces ${…} in values.
  const jaas =
    signIn === null
      ? ''
      : `${loginModule(signIn.mechanism)} required username="${jaasValue(signIn.user)}" password="\${KAFKA_PASSWORD}";`;
  return {
    id: 'spring-boot',
    label: 'Spring Boot',
    title: 'application.yaml',
    code: lines(
      `spring:
  kafka:
    bootstrap-servers: ${quoted(bootstrap)}`,
      isTls && `    # ssl:\n    #   trust-store-type: PEM\n    #   trust-store-location: file:${CA_FILE}`,
      (isTls || signIn !== null) && `    properties:\n      security.protocol: ${protocol}`,
      signIn !== null &&
        `      sasl.mechanism: ${signIn.mechanism}\n      sasl.jaas.config: '${jaas.replaceAll("'", "''")}'`,
      `    consumer:
      group-id: hello-spring-boot
      auto-offset-reset: earliest`,
    ),
  };
}
