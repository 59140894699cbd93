"""Signs in with kafka-python, produces one record, reads it back and prints it. Settings come as JSON on standard input."""

import json
import logging
import os
import sys

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.net.sasl.oauth import AbstractTokenProvider


class Token(AbstractTokenProvider):
    def __init__(self, token):
        super().__init__()
        self._token = token

    def token(self):
        return self._token


class EndOnFailure(logging.Handler):
    """kafka-python tries again until its time is over, and only its log says why a connection failed."""

    def emit(self, record):
        if "failed" in record.msg:
            print(record.getMessage(), file=sys.stderr, flush=True)
            os._exit(1)


def client_settings(settings):
    is_tls, mechanism = settings["authority"] != "", settings["mechanism"]
    protocol = ("SASL_" if mechanism else "") + ("SSL" if is_tls else "PLAINTEXT")
    client = {"bootstrap_servers": settings["bootstrap"], "security_protocol": protocol}
    if is_tls:
        client["ssl_cafile"] = settings["authority"]
    if settings["certificate"]:
        client.update(ssl_certfile=settings["certificate"], ssl_keyfile=settings["key"])
    if mechanism == "OAUTHBEARER":
        client.update(sasl_mechanism=mechanism, sasl_oauth_token_provider=Token(settings["secret"]))
    elif mechanism:
        client.update(
            sasl_mechanism=mechanism,
            sasl_plain_username=settings["user"],
            sasl_plain_password=settings["secret"],
        )
    return client


def main():
    logging.getLogger("kafka.net.manager").addHandler(EndOnFailure())
    settings = json.load(sys.stdin)
    client = client_settings(settings)
    producer = KafkaProducer(**client)
    produced = producer.send(settings["topic"], settings["value"].encode()).get(timeout=30)
    producer.close()
    consumer = KafkaConsumer(**client, consumer_timeout_ms=30_000)
    partition = TopicPartition(produced.topic, produced.partition)
    consumer.assign([partition])
    consumer.seek(partition, produced.offset)
    print(next(consumer).value.decode())
    consumer.close()


main()
