"""Subscribes a share consumer of confluent-kafka (librdkafka) and prints the error that ends it, or "waiting" after 20 seconds."""

import sys
import time

from confluent_kafka import KafkaException, ShareConsumer

consumer = ShareConsumer({"bootstrap.servers": sys.argv[1], "group.id": "shared"})
consumer.subscribe([sys.argv[2]])
until = time.monotonic() + 20
while time.monotonic() < until:
    try:
        for message in consumer.poll(timeout=1):
            if message.error() is not None:
                print(message.error().str())
                sys.exit()
    except KafkaException as error:
        print(error.args[0].str())
        sys.exit()
print("waiting")
