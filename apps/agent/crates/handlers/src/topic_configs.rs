//! The configs of topics: which there are, what they default to, and what they mean here.

use penstock_metadata_client::proto;

/// Where a value comes from, in Kafka's codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// Set on the topic.
    Topic,
    /// Fixed by the service for the whole cluster.
    Broker,
    /// Nobody set it.
    Default,
}

impl Source {
    pub(crate) fn code(self) -> i8 {
        match self {
            Self::Topic => 1,
            Self::Broker => 4,
            Self::Default => 5,
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
    List,
}

impl Kind {
    pub(crate) fn code(self) -> i8 {
        match self {
            Self::Boolean => 1,
            Self::String => 2,
            Self::Int => 3,
            Self::Long => 5,
            Self::List => 7,
        }
    }
}

/// A config that exists.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: &'static str,
    /// The broker's config that gives the default in Kafka.
    pub(crate) broker_name: &'static str,
    pub(crate) default: &'static str,
    pub(crate) kind: Kind,
    pub(crate) documentation: &'static str,
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

/// Kafka's defaults, by name.
pub(crate) const DEFINITIONS: &[Definition] = definitions! {
    "cleanup.policy", "log.cleanup.policy", List, "delete",
        "What happens to old records: 'delete' drops them by retention.ms and retention.bytes.";
    "compression.type", "compression.type", String, "producer",
        "Batches are stored and served as the producer compressed them.";
    "max.message.bytes", "message.max.bytes", Int, "1048588",
        "The largest batch that is accepted, in bytes, after compression.";
    "message.timestamp.type", "log.message.timestamp.type", String, "CreateTime",
        "Records keep the timestamps that their producers gave them.";
    "min.insync.replicas", "min.insync.replicas", Int, "1",
        "Has no effect: a record is acknowledged when object storage and the journal have it, whatever acks says.";
    "retention.bytes", "log.retention.bytes", Long, "-1",
        "The most that a partition keeps, in bytes; the oldest records go first. -1: no limit.";
    "retention.ms", "log.retention.ms", Long, "604800000",
        "How long records are kept, in milliseconds. -1: for ever.";
    "segment.bytes", "log.segment.bytes", Int, "1073741824",
        "Has no effect: there are no segments.";
    "segment.ms", "log.roll.ms", Long, "604800000",
        "Has no effect: there are no segments.";
    "unclean.leader.election.enable", "unclean.leader.election.enable", Boolean, "false",
        "Has no effect: any agent serves any partition.";
};

/// The definition of a config, if there is such a one.
pub(crate) fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

/// All configs of a topic, by name: those set on it and the defaults of the others.
pub(crate) fn entries(set: &[proto::Config]) -> Vec<Entry> {
    let defaults = DEFINITIONS
        .iter()
        .filter(|definition| set.iter().all(|config| config.name != definition.name))
        .map(|definition| Entry {
            name: definition.name.to_owned(),
            value: definition.default.to_owned(),
            source: Source::Default,
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
    fn a_config_set_on_the_topic_hides_its_default() {
        let set = [proto::Config {
            name: "retention.ms".into(),
            value: "1000".into(),
        }];
        let all = entries(&set);
        assert_eq!(all.len(), DEFINITIONS.len());
        let retention = all.iter().find(|entry| entry.name == "retention.ms").unwrap();
        assert_eq!((retention.value.as_str(), retention.source), ("1000", Source::Topic));
        let policy = all.iter().find(|entry| entry.name == "cleanup.policy").unwrap();
        assert_eq!((policy.value.as_str(), policy.source), ("delete", Source::Default));
    }

    #[test]
    fn definitions_stand_in_order_and_once() {
        assert!(DEFINITIONS.windows(2).all(|pair| pair[0].name < pair[1].name));
    }
}
