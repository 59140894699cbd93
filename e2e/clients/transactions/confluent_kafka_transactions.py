"""Consumes, transforms and produces in transactions with confluent-kafka (librdkafka), which uses the first version of the protocol. Every
other transaction is aborted and tried again. Prints what a reader at read_committed then finds, one value a line.

Standard input: one JSON object of settings: `bootstrap`, `input`, `output`, `count` (records of the input), `name`.
"""
import json
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

TIMEOUT_S = 60

settings = json.loads(sys.stdin.readline())
common = {"bootstrap.servers": settings["bootstrap"], "log_level": 0}


def consumer(group):
    return Consumer(
        {
            **common,
            "group.id": group,
            "isolation.level": "read_committed",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )


producer = Producer({**common, "transactional.id": settings["name"]})
producer.init_transactions(TIMEOUT_S)
reader = consumer(settings["name"])
reader.subscribe([settings["input"]])
done, rounds = 0, 0
while done < settings["count"]:
    messages = [message for message in reader.consume(num_messages=5, timeout=1) if message.error() is None]
    if not messages:
        continue
    producer.begin_transaction()
    for message in messages:
        producer.produce(settings["output"], message.value() + b"!")
    end = messages[-1].offset() + 1
    offsets = [TopicPartition(settings["input"], 0, end)]
    producer.send_offsets_to_transaction(offsets, reader.consumer_group_metadata(), TIMEOUT_S)
    rounds += 1
    if rounds % 2 == 1:
        producer.abort_transaction(TIMEOUT_S)
        reader.seek(TopicPartition(settings["input"], 0, done))
    else:
        producer.commit_transaction(TIMEOUT_S)
        done = end
reader.close()

check = consumer(f"{settings['name']}-check")
check.assign([TopicPartition(settings["output"], 0, OFFSET_BEGINNING)])
found = 0
while found < settings["count"]:
    for message in check.consume(num_messages=100, timeout=1):
        if message.error() is None:
            print(message.value().decode())
            found += 1
for message in check.consume(num_messages=1, timeout=1):
    print("one more:", message.value().decode())
check.close()
