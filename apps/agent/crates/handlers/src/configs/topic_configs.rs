//! The configs of topics: which there are, what they default to, and what they mean here.

use penstock_metadata_client::cache::Catalogue;
use penstock_metadata_client::proto;

/// Where a value comes from, in Kafka's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Set on the topic.
    Topic,
    /// Set on a subscription to client metrics.
    ClientMetrics,
    /// Fixed by the service for the whole cluster.
    Broker,
    /// A default that all brokers share, which Kafka's tools could change.
    Cluster,
    /// Set for the group.
    Group,
    /// Nobody set it.
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

/// Types of values, in Kafka's codes.
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

/// A config that exists.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    /// The broker's config that gives the default in Kafka; empty if Kafka does not know the config.
    pub(crate) broker_name: &'static str,
    pub(crate) default: &'static str,
    pub(crate) kind: Kind,
    pub(crate) documentation: &'static str,
}

/// What a batch may decompress to: the one default that clients can change.
pub(crate) const MAX_UNCOMPRESSED_BATCH_BYTES: &str = "max.uncompressed.batch.bytes";
/// Defaults of the whole cluster: Kafka keeps the first one there since clusters have eligible leader replicas.
const OF_CLUSTER: [&str; 2] = ["min.insync.replicas", MAX_UNCOMPRESSED_BATCH_BYTES];

impl Definition {
    /// Where the value of a topic comes from that has none of its own.
    pub(crate) fn default_source(&self) -> Source {
        if OF_CLUSTER.contains(&self.name) {
            Source::Cluster
        } else {
            Source::Default
        }
    }

    /// The value in a cluster, of topics that do not set it.
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

/// One config of one topic.
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

/// All configs that a topic can have, by name, with Kafka's defaults. The metadata service holds the same list with the
/// rules for values.
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

/// Configs that metadata services of earlier releases do not know, or below the rules level that added them.
const RECENT: [&str; 4] = [
    "remote.log.copy.disable",
    "remote.log.delete.on.disable",
    OUR_OWN[0],
    OUR_OWN[1],
];
/// Kafka does not know these, and tools that compare or copy all configs of a topic must not meet them by chance.
const OUR_OWN: [&str; 2] = [MAX_UNCOMPRESSED_BATCH_BYTES, "penstock.latency"];

/// Whether a metadata service of an earlier release may refuse the config as unknown.
pub(crate) fn is_recent(name: &str) -> bool {
    RECENT.contains(&name)
}

/// The definition of a config, if there is such a one.
pub(crate) fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

/// Whether the config is shown only where it is set.
pub(crate) fn is_our_own(name: &str) -> bool {
    OUR_OWN.contains(&name)
}

/// All configs of a topic, by name: those set on it and the defaults of the others.
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
    fn a_config_of_our_own_is_listed_only_where_it_is_set() {
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

    /// Each config of the metadata service's table: its name, and the source text of its default.
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
    fn the_metadata_service_knows_the_same_configs_with_the_same_defaults() {
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
    fn definitions_stand_in_order_and_once() {
        assert!(DEFINITIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
