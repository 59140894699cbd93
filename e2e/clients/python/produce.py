"""Produces numbered records with confluent-kafka (librdkafka) and writes down each acknowledgement.

Standard input: one JSON object of settings. Standard output: `partition offset index` per acknowledged record, as it comes.
"""
import json
import sys

from confluent_kafka import Producer

settings = json.loads(sys.stdin.readline())
failures = []


def delivered(error, message):
    if error is not None:
        failures.append(str(error))
    else:
        print(message.partition(), message.offset(), message.key().decode(), flush=settings["flush_each"])


producer = Producer({"bootstrap.servers": settings["bootstrap"], **settings["client"]})
with open(settings["values_file"], "rb") as values:
    for index, line in enumerate(values):
        while True:
            try:
                # The key decides the partition, so that the order of one key can be checked.
                producer.produce(settings["topic"], line.rstrip(b"\n"), str(index).encode(), on_delivery=delivered)
                break
            except BufferError:
                producer.poll(0.05)
        producer.poll(0)
remaining = producer.flush(settings["timeout_s"])
if failures or remaining:
    sys.exit(f"{len(failures)} records failed ({failures[:1]}), {remaining} without an answer")
