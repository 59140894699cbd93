// Ready-to-run snippets for unmodified Kafka clients. Pure text.

export type ClientSnippet = { id: string; label: string; title: string; code: string; note?: string };

/** @param bootstrap the address of any agent, host:port */
export function clientSnippets(bootstrap: string): readonly ClientSnippet[] {
  return [
    {
      id: 'kcat',
      label: 'kcat',
      title: 'Terminal',
      code: `# produce three records, then read them back
printf 'one\\ntwo\\nthree\\n' | kcat -b ${bootstrap} -P -t hello
kcat -b ${bootstrap} -C -t hello -o beginning -e`,
    },
    {
      id: 'java',
      label: 'Java console tools',
      title: 'Terminal',
      code: `kafka-topics.sh --bootstrap-server ${bootstrap} --create --topic hello --partitions 12
kafka-console-producer.sh --bootstrap-server ${bootstrap} --topic hello
kafka-console-consumer.sh --bootstrap-server ${bootstrap} --topic hello --from-beginning`,
    },
    {
      id: 'kafkajs',
      label: 'kafkajs',
      title: 'hello.mjs',
      code: `import { Kafka } from 'kafkajs';

const kafka = new Kafka({ clientId: 'hello', brokers: ['${bootstrap}'] });

const producer = kafka.producer();
await producer.connect();
await producer.send({ topic: 'hello', messages: [{ key: 'greeting', value: 'Hello, Penstock' }] });
await producer.disconnect();

const consumer = kafka.consumer({ groupId: 'hello-readers' });
await consumer.connect();
await consumer.subscribe({ topic: 'hello', fromBeginning: true });
await consumer.run({
  eachMessage: async ({ partition, message }) => {
    console.log(partition, message.offset, message.value?.toString());
  },
});`,
      note: 'Run npm install kafkajs, then node hello.mjs. Press Ctrl-C to stop.',
    },
    {
      id: 'confluent-kafka',
      label: 'confluent-kafka (Python)',
      title: 'hello.py',
      code: `from confluent_kafka import Consumer, Producer

producer = Producer({"bootstrap.servers": "${bootstrap}"})
producer.produce("hello", key="greeting", value="Hello, Penstock")
producer.flush()

consumer = Consumer({
    "bootstrap.servers": "${bootstrap}",
    "group.id": "hello-readers",
    "auto.offset.reset": "earliest",
})
consumer.subscribe(["hello"])
while True:
    record = consumer.poll(1.0)
    if record is None:
        continue
    if record.error():
        raise SystemExit(record.error())
    print(record.partition(), record.offset(), record.value().decode())`,
      note: 'Run pip install confluent-kafka, then python hello.py. Press Ctrl-C to stop.',
    },
  ];
}
