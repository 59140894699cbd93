"""Produces numbered records with confluent-kafka (librdkafka) and writes down each acknowledgement.

Standard input: one JSON object of settings. Standard output: `partition offset index` per acknowledged record, as it comes.
With `records_per_s` it does not end with the file: it starts over with the next numbers, at that pace, until its standard input ends.
"""
import itertools
import json
import sys
import threading

from confluent_kafka import Producer

TICK_S = 0.01
# The length of the number at the start of each value.
INDEX_LENGTH = 10

settings = json.loads(sys.stdin.readline())
failures = []


def delivered(error, message):
    if error is not None:
        failures.append(str(error))
    else:
        print(message.partition(), message.offset(), message.key().decode(), flush=settings["flush_each"])


producer = Producer({"bootstrap.servers": settings["bootstrap"], **settings["client"]})


def send(index, value):
    while True:
        try:
            # The key decides the partition, so that the order of one key can be checked.
            producer.produce(settings["topic"], value, str(index).encode(), on_delivery=delivered)
            break
        except BufferError:
            producer.poll(0.05)
    producer.poll(0)


def send_until_told(lines, records_per_s):
    told = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), told.set()), daemon=True).start()
    numbered = (
        (index, str(index).zfill(INDEX_LENGTH).encode() + lines[index % len(lines)][INDEX_LENGTH:])
        for index in itertools.count()
    )
    while not told.is_set():
        for index, value in itertools.islice(numbered, max(1, round(records_per_s * TICK_S))):
            send(index, value)
        producer.poll(TICK_S)


with open(settings["values_file"], "rb") as values:
    if settings["records_per_s"] is not None:
        send_until_told(values.read().splitlines(), settings["records_per_s"])
    else:
        for index, line in enumerate(values):
            send(index, line.rstrip(b"\n"))
remaining = producer.flush(settings["timeout_s"])
if failures or remaining:
    sys.exit(f"{len(failures)} records failed ({failures[:1]}), {remaining} without an answer")
