//! The configs of topics: their names, defaults and effects.

use penstock_metadata_client::cache::Catalogue;
use penstock_metadata_client::proto;

/// The source of a value, with Kafka's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The value is set on the topic.
    Topic,
    /// The value is set on a client metrics subscription.
    ClientMetrics,
    /// The value is fixed by the service for the whole cluster.
    Broker,
    /// The value is a default shared by all brokers, which Kafka's tools could change.
    Cluster,
    /// The value is set on the group.
    Group,
    /// The value is the built-in default.
    Default,
}

impl Source {
    pub(crate) fn code(self) -> i8 {
        match self {
            Self::Topic => 1,
            Self::Cluster => 3,
            Self::Broker => 4,
            Self::ClientMetrics => 7,
            Self::Default => 5,
            Self::Group => 8,
        }
    }
}

/// Types of values, with Kafka's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Boolean,
    String,
    Int,
    Long,
    Double,
    List,
}

impl Kind {
    pub(crate) fn code(self) -> i8 {
        match self {
            Self::Boolean => 1,
            Self::String => 2,
            Self::Int => 3,
            Self::Long => 5,
            Self::Double => 6,
            Self::List => 7,
        }
    }
}

/// The definition of a config.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    /// The broker config that sets the default in Kafka; empty if Kafka does not have the config.
    pub(crate) broker_name: &'static str,
    pub(crate) default: &'static str,
    pub(crate) kind: Kind,
    pub(crate) documentation: &'static str,
}

/// Maximum decompressed size of a batch: the only default that clients can change.
pub(crate) const MAX_UNCOMPRESSED_BATCH_BYTES: &str = "max.uncompressed.batch.bytes";
/// Defaults of the whole cluster. In Kafka, the first one has been there since eligible leader replicas were added.
const OF_CLUSTER: [&str; 2] = ["min.insync.replicas", MAX_UNCOMPRESSED_BATCH_BYTES];

impl Definition {
    /// The source of the value in topics that do not set it.
    pub(crate) fn default_source(&self) -> Source {
        if OF_CLUSTER.contains(&self.name) {
            Source::Cluster
        } else {
            Source::Default
        }
    }

    /// The default in a cluster, for topics that do not set it.
    pub(crate) fn cluster_default(&self, catalogue: &Catalogue) -> String {
        if self.name == MAX_UNCOMPRESSED_BATCH_BYTES {
            catalogue.default_max_uncompressed_batch_bytes().to_string()
        } else {
            self.default.to_owned()
        }
    }
}

/// The defaults that all brokers share.
pub(crate) fn cluster_defaults() -> impl Iterator<Item = &'static Definition> {
    DEFINITIONS
        .iter()
        .filter(|definition| definition.default_source() == Source::Cluster)
}

/// A config of a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) source: Source,
}

macro_rules! definitions {
    ($($name:literal, $broker_name:literal, $kind:ident, $default:literal, $documentation:literal;)*) => {
        &[$(Definition {
            name: $name,
            broker_name: $broker_name,
            default: $default,
            kind: Kind::$kind,
            documentation: $documentation,
        },)*]
    };
}

/// All topic configs by name, with Kafka's defaults. The metadata service has the same list with the rules for values.
pub(crate) const DEFINITIONS: &[Definition] = definitions! {
    "cleanup.policy", "log.cleanup.policy", List, "delete",
        "What happens to old records. 'delete': they go by retention.ms and retention.bytes. 'compact': the latest record of each key stays, and records without a key are refused. Both can be set together.";
    "compression.gzip.level", "compression.gzip.level", Int, "-1",
        "Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with gzip.";
    "compression.lz4.level", "compression.lz4.level", Int, "9",
        "Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with lz4.";
    "compression.type", "compression.type", String, "producer",
        "Has no effect: batches stay as the producer compressed them. In Kafka: the compression of batches on disk; 'producer' leaves them as they came.";
    "compression.zstd.level", "compression.zstd.level", Int, "3",
        "Has no effect: batches stay as the producer compressed them. In Kafka: the level at which brokers compress with zstd.";
    "delete.retention.ms", "log.cleaner.delete.retention.ms", Long, "86400000",
        "How long a compacted topic keeps a tombstone (a record without a value) after the first cleaning that finds it, in milliseconds. The next cleaning removes it.";
    "file.delete.delay.ms", "log.segment.delete.delay.ms", Long, "60000",
        "Has no effect: there are no segments. In Kafka: how long a deleted segment stays on disk, in milliseconds.";
    "flush.messages", "log.flush.interval.messages", Long, "9223372036854775807",
        "Has no effect: a record is durable when it is acknowledged. In Kafka: after how many records a log is flushed to disk.";
    "flush.ms", "log.flush.interval.ms", Long, "9223372036854775807",
        "Has no effect: a record is durable when it is acknowledged. In Kafka: after how many milliseconds a log is flushed to disk.";
    "follower.replication.throttled.replicas", "follower.replication.throttled.replicas", List, "",
        "Has no effect: there are no replicas. In Kafka: the replicas whose followers are throttled.";
    "index.interval.bytes", "log.index.interval.bytes", Int, "4096",
        "Has no effect: there are no segments. In Kafka: after how many bytes of records the index of a segment gets an entry.";
    "leader.replication.throttled.replicas", "leader.replication.throttled.replicas", List, "",
        "Has no effect: there are no replicas. In Kafka: the replicas whose leaders are throttled.";
    "local.retention.bytes", "log.local.retention.bytes", Long, "-2",
        "Has no effect: all records are in object storage. In Kafka: the most that stays on a broker's disk with tiered storage, in bytes.";
    "local.retention.ms", "log.local.retention.ms", Long, "-2",
        "Has no effect: all records are in object storage. In Kafka: how long records stay on a broker's disk with tiered storage, in milliseconds.";
    "max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms", Long, "9223372036854775807",
        "Compacted topics only: once its oldest dirty record is older than this, in milliseconds, a partition is cleaned even if little of it is dirty.";
    "max.message.bytes", "message.max.bytes", Int, "1048588",
        "The largest batch that is accepted, in bytes, after compression.";
    "max.uncompressed.batch.bytes", "max.uncompressed.batch.bytes", Int, "67108864",
        "The largest size that a compressed batch may decompress to, in bytes without its header. Batches that compression doesn't shrink are limited by max.message.bytes alone. Topics without it use their cluster's default, which you change in the cluster's settings or as the default of all brokers: 64 MiB, or 1 GiB in clusters created before this config existed. Kafka has no such config, so its tools list it only where it is set, or when they ask for it by name.";
    "message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms", Long, "3600000",
        "Records whose timestamps are further in the future than this, in milliseconds, are refused. Not with LogAppendTime.";
    "message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms", Long, "9223372036854775807",
        "Records whose timestamps are further in the past than this, in milliseconds, are refused. Not with LogAppendTime.";
    "message.timestamp.type", "log.message.timestamp.type", String, "CreateTime",
        "CreateTime: records keep their producers' timestamps. LogAppendTime: they get the time at which they reach the agent.";
    "min.cleanable.dirty.ratio", "log.cleaner.min.cleanable.ratio", Double, "0.5",
        "Compacted topics only: a partition is cleaned once more than this share of its cleanable bytes was written after the last cleaning. From 0 to 1.";
    "min.compaction.lag.ms", "log.cleaner.min.compaction.lag.ms", Long, "0",
        "Compacted topics only: records younger than this, in milliseconds, aren't compacted.";
    "min.insync.replicas", "min.insync.replicas", Int, "1",
        "Has no effect: a record is acknowledged when object storage and the journal have it, whatever acks says. In Kafka: how many replicas must have a record before it is acknowledged with acks=all.";
    "penstock.latency", "", String, "cluster",
        "Clusters in low-latency mode only. 'cluster': records go to the S3 Express One Zone buckets first, as the cluster's mode says. 'standard': they go to the standard bucket, with its latency. 'low': like 'cluster', and rejected in clusters of other modes. Kafka has no such config, so its tools list it only where it is set.";
    "preallocate", "log.preallocate", Boolean, "false",
        "Has no effect: there are no segments. In Kafka: whether a segment's file gets its full size at once.";
    "remote.log.copy.disable", "remote.log.copy.disable", Boolean, "false",
        "Has no effect: all records are in object storage. In Kafka: stops copying to tiered storage; what is there stays readable.";
    "remote.log.delete.on.disable", "remote.log.delete.on.disable", Boolean, "false",
        "Has no effect: all records are in object storage. In Kafka: deletes what is in tiered storage when that is turned off.";
    "remote.storage.enable", "remote.log.storage.system.enable", Boolean, "false",
        "Has no effect: all records are in object storage. In Kafka: turns tiered storage on.";
    "retention.bytes", "log.retention.bytes", Long, "-1",
        "The most that a partition keeps, in bytes as stored; the oldest records go first, those of one data file at a time. -1: no limit.";
    "retention.ms", "log.retention.ms", Long, "604800000",
        "How long records are kept, in milliseconds after their timestamps, and never longer than after they were stored. -1: for ever.";
    "segment.bytes", "log.segment.bytes", Int, "1073741824",
        "Has no effect: there are no segments. Retention drops the records of one data file at a time. In Kafka: the size of a segment's file.";
    "segment.index.bytes", "log.index.size.max.bytes", Int, "10485760",
        "Has no effect: there are no segments. In Kafka: the size of the index of a segment.";
    "segment.jitter.ms", "log.roll.jitter.ms", Long, "0",
        "Has no effect: there are no segments. In Kafka: the random part of the age at which a segment ends, in milliseconds.";
    "segment.ms", "log.roll.ms", Long, "604800000",
        "Compacted topics only: less than 4 MiB of dirty records is cleaned once the oldest has waited this long, in milliseconds, and after ten minutes at most. There are no segments otherwise.";
    "unclean.leader.election.enable", "unclean.leader.election.enable", Boolean, "false",
        "Has no effect: any agent serves any partition. In Kafka: lets a replica that lacks records become leader.";
};

/// Configs unknown to Kafka. Tools that compare or copy all configs of a topic must not encounter them unexpectedly.
const OUR_OWN: [&str; 2] = [MAX_UNCOMPRESSED_BATCH_BYTES, "penstock.latency"];

/// The definition of a config, if it exists.
pub(crate) fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

/// Returns true if the config is shown only where it is set.
pub(crate) fn is_our_own(name: &str) -> bool {
    OUR_OWN.contains(&name)
}

/// All configs of a topic by name: those set on it, and defaults for the others.
pub(crate) fn entries(set: &[proto::Config]) -> Vec<Entry> {
    let defaults = DEFINITIONS
        .iter()
        .filter(|definition| !is_our_own(definition.name))
        .filter(|definition| set.iter().all(|config| config.name != definition.name))
        .map(|definition| Entry {
            name: definition.name.to_owned(),
            value: definition.default.to_owned(),
            source: definition.default_source(),
        });
    let own = set.iter().map(|config| Entry {
        name: config.name.clone(),
        value: config.value.clone(),
        source: Source::Topic,
    });
    let mut all: Vec<Entry> = defaults.chain(own).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_a_penstock_config_only_where_it_is_set() {
        for name in OUR_OWN {
            assert!(entries(&[]).iter().all(|entry| entry.name != name));
            let set = [proto::Config {
                name: name.into(),
                value: "standard".into(),
            }];
            assert!(entries(&set).iter().any(|entry| entry.name == name));
        }
    }

    #[test]
    fn a_config_set_on_the_topic_hides_its_default() {
        let set = [proto::Config {
            name: "retention.ms".into(),
            value: "1000".into(),
        }];
        let all = entries(&set);
        assert_eq!(all.len(), DEFINITIONS.len() - OUR_OWN.len(), "all but our own");
        let retention = all.iter().find(|entry| entry.name == "retention.ms").unwrap();
        assert_eq!((retention.value.as_str(), retention.source), ("1000", Source::Topic));
        let policy = all.iter().find(|entry| entry.name == "cleanup.policy").unwrap();
        assert_eq!((policy.value.as_str(), policy.source), ("delete", Source::Default));
    }

    /// The configs in the metadata service's table: name, and source text of the default.
    fn owners_table() -> Vec<(&'static str, &'static str)> {
        let source = include_str!("../../../../../../packages/metadata-core/src/topics/topic-configs.ts");
        let table = source
            .split("TOPIC_CONFIGS")
            .nth(1)
            .and_then(|rest| rest.split("\n]);").next())
            .unwrap();
        let entries = table.split("default: ").collect::<Vec<_>>();
        let is_name = |word: &&str| word.contains('.') || *word == "preallocate";
        let names = entries
            .iter()
            .map(|before| before.split('\'').rfind(is_name).unwrap_or_default());
        let defaults = entries[1..]
            .iter()
            .map(|after| after.split([',', '}']).next().unwrap().trim());
        names.zip(defaults).collect()
    }

    #[test]
    fn the_metadata_service_has_the_same_configs_and_defaults() {
        let mut owners: Vec<(&str, String)> = owners_table()
            .into_iter()
            .map(|(name, default)| match default {
                "MAX_LONG.toString()" => (name, i64::MAX.to_string()),
                quoted => (name, quoted.trim_matches('\'').to_owned()),
            })
            .collect();
        owners.sort();
        let ours: Vec<(&str, String)> = DEFINITIONS
            .iter()
            .map(|definition| (definition.name, definition.default.to_owned()))
            .collect();
        assert_eq!(ours, owners);
    }

    #[test]
    fn definitions_are_in_order_and_unique() {
        assert!(DEFINITIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
