"""Many members of consumer groups in one process, each a confluent-kafka (librdkafka) consumer with a thread of its own.

Understands the commands of consumer-groups/java/GroupMembers.java on its standard input, and answers them the same way.
"""
import sys
import threading
import time
from collections import Counter, defaultdict

from confluent_kafka import Consumer, KafkaError, KafkaException

POLL_S = 0.05
AT_ONCE = 500
# A commit that a rebalance refuses: the next commit, or the partition's next owner, goes on from the one before.
REFUSED_COMMITS = {
    KafkaError.REBALANCE_IN_PROGRESS,
    KafkaError.ILLEGAL_GENERATION,
    KafkaError.UNKNOWN_MEMBER_ID,
    KafkaError.STALE_MEMBER_EPOCH,
    KafkaError._NO_OFFSET,
}

lock = threading.Lock()
members = {}
# Of each group, (topic, partition) to the member that has it.
owners = defaultdict(dict)
read_times = defaultdict(Counter)
longest_wait_ms = defaultdict(int)
conflicts = []


class Member(threading.Thread):
    def __init__(self, bootstrap, name, protocol, group, subscription, instance):
        super().__init__(daemon=True)
        self.label = name
        self.group = group
        self.closing = threading.Event()
        self.assigned = set()
        self.assignments = 0
        self.error = "-"
        settings = {
            "bootstrap.servers": bootstrap,
            "group.protocol": protocol,
            "group.id": group,
            "client.id": name,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "fetch.wait.max.ms": 100,
        }
        if protocol == "classic":
            settings["partition.assignment.strategy"] = "cooperative-sticky"
        if instance != "-":
            settings["group.instance.id"] = instance
        self.consumer = Consumer(settings)
        topics = [f"^{subscription[1:]}"] if subscription.startswith("~") else subscription.split(",")
        self.consumer.subscribe(topics, on_assign=self.gets, on_revoke=self.gives_up, on_lost=self.gives_up)

    def run(self):
        try:
            while not self.closing.is_set():
                messages = self.consumer.consume(num_messages=AT_ONCE, timeout=POLL_S)
                for message in messages:
                    if message.error():
                        raise KafkaException(message.error())
                self.count(messages)
                if messages:
                    self.commit()
        except KafkaException as failure:
            self.error = failure.args[0].name()
        self.consumer.close()

    def commit(self):
        try:
            self.consumer.commit(asynchronous=False)
        except KafkaException as failure:
            if failure.args[0].code() not in REFUSED_COMMITS:
                raise

    def count(self, messages):
        now_ms = time.time() * 1000
        with lock:
            for message in messages:
                key = (message.topic(), message.partition(), message.offset())
                read_times[self.group][key] += 1
                if read_times[self.group][key] == 1:
                    waited_ms = int(now_ms - message.timestamp()[1])
                    longest_wait_ms[self.group] = max(longest_wait_ms[self.group], waited_ms)

    def gets(self, _consumer, partitions):
        with lock:
            self.assignments += 1
            for partition in partitions:
                key = (partition.topic, partition.partition)
                other = owners[self.group].get(key)
                if other is not None and other != self.label:
                    conflicts.append(f"{key[0]}-{key[1]} {other} {self.label}")
                owners[self.group][key] = self.label
                self.assigned.add(key)

    def gives_up(self, _consumer, partitions):
        with lock:
            for partition in partitions:
                key = (partition.topic, partition.partition)
                if owners[self.group].get(key) == self.label:
                    del owners[self.group][key]
                self.assigned.discard(key)

    def shown(self):
        partitions = ",".join(sorted(f"{topic}-{partition}" for topic, partition in self.assigned))
        return f"{self.label} {len(self.assigned)} {self.assignments} {partitions} {self.error}"


def answer(bootstrap, words):
    command = words[0]
    if command == "join":
        member = Member(bootstrap, *words[1:])
        members[words[1]] = member
        member.start()
        return []
    if command == "close":
        # Whether a static member comes back is not for the application to say: librdkafka always keeps its place.
        member = members.pop(words[1])
        member.closing.set()
        member.join()
        return []
    with lock:
        if command == "show":
            return [members[name].shown() for name in sorted(members)]
        if command == "records":
            times = read_times[words[1]]
            return [f"{sum(times.values())} {len(times)}"]
        if command == "wait":
            return [str(longest_wait_ms.pop(words[1], 0))]
        if command == "conflicts":
            return list(conflicts)
    raise ValueError(command)


for line in sys.stdin:
    for row in answer(sys.argv[1], line.split()):
        print(row)
    print(".", flush=True)
