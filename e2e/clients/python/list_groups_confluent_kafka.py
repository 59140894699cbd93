"""Prints the ids of all consumer groups that confluent-kafka (librdkafka) lists, one a line, as often as it lists them."""

import sys

from confluent_kafka.admin import AdminClient

admin = AdminClient({"bootstrap.servers": sys.argv[1]})
for group in admin.list_consumer_groups().result().valid:
    print(group.group_id)
