//! What has configs, as Kafka names it.

use penstock_authz::Resource as Authority;

const TOPIC: i8 = 2;
const BROKER: i8 = 4;

/// A resource whose configs are read or changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resource<'a> {
    Topic(&'a str),
    Broker(i32),
    /// The defaults of all brokers: a broker without a name.
    AllBrokers,
    /// A kind of resource, or a broker's name, that does not exist here.
    Unsupported,
}

impl<'a> Resource<'a> {
    /// From a resource type and name of a request.
    pub(crate) fn of(resource_type: i8, name: &'a str) -> Self {
        match (resource_type, name) {
            (TOPIC, name) => Self::Topic(name),
            (BROKER, "") => Self::AllBrokers,
            (BROKER, name) => name.parse().map_or(Self::Unsupported, Self::Broker),
            _ => Self::Unsupported,
        }
    }

    /// On what a client needs the right to describe or alter these configs. `None`: there are none.
    pub(crate) fn authority(&self) -> Option<Authority<'a>> {
        match self {
            Self::Topic(name) => Some(Authority::topic(name)),
            Self::Broker(_) | Self::AllBrokers => Some(Authority::CLUSTER),
            Self::Unsupported => None,
        }
    }
}
