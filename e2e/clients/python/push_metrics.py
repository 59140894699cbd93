"""A librdkafka producer and consumer that push their metrics until they are ended. Arguments: bootstrap, topic, client id."""

import sys
import time

from confluent_kafka import Consumer, Producer

bootstrap, topic, client_id = sys.argv[1:4]
settings = {"bootstrap.servers": bootstrap, "client.id": client_id}
producer = Producer(settings)
consumer = Consumer({**settings, "group.id": client_id, "auto.offset.reset": "earliest"})
consumer.subscribe([topic])
while True:
    producer.produce(topic, b"pushed")
    producer.poll(0)
    consumer.poll(0.02)
    time.sleep(0.02)
