"""Prints the ids of all consumer groups that kafka-python lists, one a line, as often as it lists them."""

import sys

from kafka.admin import KafkaAdminClient

admin = KafkaAdminClient(bootstrap_servers=sys.argv[1])
for group in admin.list_groups():
    print(group["group_id"] if isinstance(group, dict) else group[0])
admin.close()
