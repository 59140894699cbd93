"""Consumes with confluent-kafka (librdkafka) and prints `partition offset value` per record.

Standard input: one JSON object of settings. `count`: stop after so many records; null: go on until killed.
With a group the assignments go to standard error as `assigned [partitions]`, and each batch is committed after it is printed.
"""
import json
import sys
import time

from confluent_kafka import Consumer, KafkaException

settings = json.loads(sys.stdin.readline())


def assigned(_consumer, partitions):
    print("assigned", json.dumps(sorted(p.partition for p in partitions)), file=sys.stderr, flush=True)


consumer = Consumer(
    {
        "bootstrap.servers": settings["bootstrap"],
        "group.id": settings["group"],
        "auto.offset.reset": "earliest",
        "enable.auto.commit": False,
        **settings["client"],
    }
)
consumer.subscribe([settings["topic"]], on_assign=assigned)
deadline = time.monotonic() + settings["timeout_s"]
count = 0
while settings["count"] is None or count < settings["count"]:
    if time.monotonic() > deadline:
        sys.exit(f"only {count} records after {settings['timeout_s']} s")
    messages = consumer.consume(num_messages=1000, timeout=0.5)
    for message in messages:
        if message.error():
            raise KafkaException(message.error())
        print(message.partition(), message.offset(), message.value().decode())
        count += 1
    if messages:
        sys.stdout.flush()
        consumer.commit(asynchronous=False)
consumer.close()
