"""Signs in with confluent-kafka, produces one record, reads it back and prints it. Settings come as JSON on standard input."""

import json
import sys
import time

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition

TOKEN_LIFETIME_S = 300


def client_settings(settings, failures):
    is_tls, mechanism = settings["authority"] != "", settings["mechanism"]
    protocol = ("SASL_" if mechanism else "") + ("SSL" if is_tls else "PLAINTEXT")
    client = {
        "bootstrap.servers": settings["bootstrap"],
        "security.protocol": protocol,
        "error_cb": failures.append,
    }
    if is_tls:
        client["ssl.ca.location"] = settings["authority"]
    if settings["certificate"]:
        client.update({"ssl.certificate.location": settings["certificate"], "ssl.key.location": settings["key"]})
    if mechanism:
        client["sasl.mechanism"] = mechanism
    if mechanism == "OAUTHBEARER" and settings["tokenEndpoint"]:
        client.update(
            {
                "sasl.oauthbearer.method": "oidc",
                "sasl.oauthbearer.client.id": settings["user"],
                "sasl.oauthbearer.client.secret": settings["secret"],
                "sasl.oauthbearer.token.endpoint.url": settings["tokenEndpoint"],
            }
        )
    elif mechanism == "OAUTHBEARER":
        client["oauth_cb"] = lambda _: (settings["secret"], time.time() + TOKEN_LIFETIME_S)
    elif mechanism:
        client.update({"sasl.username": settings["user"], "sasl.password": settings["secret"]})
    return client


# A refused certificate looks like a broken connection.
REFUSALS = (KafkaError._AUTHENTICATION, KafkaError._SSL, KafkaError._ALL_BROKERS_DOWN)


def refusal(failures):
    """librdkafka keeps trying, so that only the error callback learns of a refused sign-in."""
    return next((error for error in failures if error.code() in REFUSALS), None)


def produce(settings, client, failures):
    delivered = []
    producer = Producer({**client, "message.timeout.ms": 30_000})
    producer.produce(settings["topic"], settings["value"], on_delivery=lambda *result: delivered.append(result))
    while not delivered:
        producer.poll(0.1)
        refused = refusal(failures)
        if refused is not None:
            raise KafkaException(refused)
    error, message = delivered[0]
    if error is not None:
        raise KafkaException(error)
    return message


def main():
    settings = json.load(sys.stdin)
    failures = []
    client = client_settings(settings, failures)
    produced = produce(settings, client, failures)
    consumer = Consumer({**client, "group.id": "sign-in", "enable.auto.commit": False})
    consumer.assign([TopicPartition(produced.topic(), produced.partition(), produced.offset())])
    message = consumer.poll(30)
    if message is None or message.error() is not None:
        raise KafkaException(message and message.error())
    print(message.value().decode())
    consumer.close()


main()
