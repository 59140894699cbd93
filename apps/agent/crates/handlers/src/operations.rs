//! The operations that a client is allowed, as bit fields of Kafka's AclOperation codes. There are no ACLs yet: every client that can
//! connect to the agent may do everything.

const READ: i32 = 1 << 3;
const WRITE: i32 = 1 << 4;
const CREATE: i32 = 1 << 5;
const DELETE: i32 = 1 << 6;
const ALTER: i32 = 1 << 7;
const DESCRIBE: i32 = 1 << 8;
const CLUSTER_ACTION: i32 = 1 << 9;
const DESCRIBE_CONFIGS: i32 = 1 << 10;
const ALTER_CONFIGS: i32 = 1 << 11;
const IDEMPOTENT_WRITE: i32 = 1 << 12;

const TOPIC: i32 = READ | WRITE | CREATE | DELETE | ALTER | DESCRIBE | DESCRIBE_CONFIGS | ALTER_CONFIGS;
const CLUSTER: i32 = CREATE | ALTER | DESCRIBE | CLUSTER_ACTION | DESCRIBE_CONFIGS | ALTER_CONFIGS | IDEMPOTENT_WRITE;
const GROUP: i32 = READ | DELETE | DESCRIBE;
/// "Not asked for".
const OMITTED: i32 = i32::MIN;

pub(crate) fn on_topic(asked: bool) -> i32 {
    if asked { TOPIC } else { OMITTED }
}

pub(crate) fn on_cluster(asked: bool) -> i32 {
    if asked { CLUSTER } else { OMITTED }
}

pub(crate) fn on_group(asked: bool) -> i32 {
    if asked { GROUP } else { OMITTED }
}
