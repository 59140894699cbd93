"""librdkafka by confluent-kafka, writing its history to standard output (see checker/history.ts): idempotent producers, a consumer that follows,
and at the end a consumer that reads everything again.

Standard input: one JSON object of settings, then commands. "stop" ends sending, and is answered {"t":"stopped"} once every record has its outcome;
"finish events-0=12,..." names the ends to read to.
"""
import json
import sys
import threading
import time

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition

NAME = "librdkafka"
CHURNED_RECORDS_PER_S = 10
TICK_S = 0.05
GIVE_UP_S = 60

settings = json.loads(sys.stdin.readline())
kept = [(topic, partition) for topic, count in settings["kept"].items() for partition in range(count)]
writing = threading.Lock()
stopped = threading.Event()
ends = {}


def now_ms():
    return int(time.time() * 1000)


def write(event):
    line = json.dumps(event, separators=(",", ":"))
    with writing:
        print(line, flush=True)


def value_of(identity, size):
    unit = identity + "|"
    return (unit * (size // len(unit) + 1))[:size]


def on_error(error):
    # Other errors are about brokers that come and go, and librdkafka retries.
    if error.fatal():
        write({"t": "fatal", "client": NAME, "error": error.name(), "at_ms": now_ms()})


COMMON = {
    "bootstrap.servers": settings["bootstrap"],
    "reconnect.backoff.max.ms": 500,
    "retry.backoff.max.ms": 500,
    "socket.timeout.ms": 10_000,
    "error_cb": on_error,
    "log_level": 0,
}


class HistoryProducer:
    def __init__(self, config):
        self.producer = Producer(
            {
                **COMMON,
                "enable.idempotence": True,
                "acks": "all",
                # Longer than any run, so that no record times out.
                "message.timeout.ms": 600_000,
                "request.timeout.ms": 10_000,
                "linger.ms": 20,
                **config,
            }
        )
        self.sent = {}

    def send(self, topic, partition, size):
        number = self.sent.get((topic, partition), 0)
        self.sent[(topic, partition)] = number + 1
        identity = f"{NAME}/{topic}-{partition}/{number}"
        timestamp = now_ms()
        at = {"client": NAME, "topic": topic, "partition": partition, "id": identity}
        write({"t": "send", **at, "timestamp_ms": timestamp, "at_ms": timestamp})

        def delivered(error, message):
            if error is None:
                # None if librdkafka concludes from the broker's error that the record was stored before.
                offset = -1 if message.offset() is None else message.offset()
                write({"t": "ack", **at, "offset": offset, "at_ms": now_ms()})
            else:
                write({"t": "fail", **at, "error": error.name(), "at_ms": now_ms()})

        while True:
            try:
                value = value_of(identity, size)
                self.producer.produce(topic, value, partition=partition, timestamp=timestamp, on_delivery=delivered)
                break
            except BufferError:
                self.producer.poll(0.1)


def produce_kept():
    client = HistoryProducer({"compression.type": "gzip"})
    per_tick = int(settings["records_per_s"] * TICK_S)
    tick = 0
    while not stopped.is_set():
        topic, partition = kept[tick % len(kept)]
        tick += 1
        # The records of a tick go to one partition, so that batches hold several.
        for _ in range(per_tick):
            client.send(topic, partition, settings["value_bytes"])
        client.producer.poll(TICK_S)
    client.producer.flush()


def produce_churned():
    if not settings["churned"]:
        return
    # One batch per record.
    client = HistoryProducer({"batch.num.messages": 1, "compression.type": "none"})
    while not stopped.is_set():
        client.send(settings["churned"], 0, settings["churned_value_bytes"])
        client.producer.poll(1 / CHURNED_RECORDS_PER_S)
    client.producer.flush()


def read(client):
    """Reads all partitions from their start until the ends are known and reached, or for too long after that."""
    consumer = Consumer({**COMMON, "group.id": client, "enable.auto.commit": False, "auto.offset.reset": "earliest"})
    consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING) for topic, partition in kept])
    positions = {}
    give_up_at = None
    while give_up_at is None or time.monotonic() < give_up_at:
        if ends:
            give_up_at = give_up_at or time.monotonic() + GIVE_UP_S
            if all(positions.get(one, 0) >= ends[one] for one in kept):
                break
        for message in consumer.consume(num_messages=500, timeout=0.2):
            if message.error():
                on_error(message.error())
                continue
            value = message.value().decode()
            identity = value[: value.index("|")]
            event = {
                "t": "read",
                "client": client,
                "topic": message.topic(),
                "partition": message.partition(),
                "offset": message.offset(),
                "id": identity,
                "timestamp_ms": message.timestamp()[1],
                "at_ms": now_ms(),
            }
            if value != value_of(identity, settings["value_bytes"]):
                event["isDamaged"] = True
            write(event)
            positions[(message.topic(), message.partition())] = message.offset() + 1
    consumer.close()


def begin(work, *args):
    thread = threading.Thread(target=work, args=args, daemon=True)
    thread.start()
    return thread


def partition_of(name):
    topic, partition = name.rsplit("-", 1)
    return topic, int(partition)


producing = [begin(produce_kept), begin(produce_churned)]
following = begin(read, f"{NAME}-tail")
for command in sys.stdin:
    if command.strip() == "stop":
        stopped.set()
        for thread in producing:
            thread.join()
        write({"t": "stopped"})
    else:
        pairs = (end.split("=") for end in command.removeprefix("finish ").strip().split(","))
        ends.update({partition_of(name): int(end) for name, end in pairs})
        following.join()
        read(f"{NAME}-final")
        break
