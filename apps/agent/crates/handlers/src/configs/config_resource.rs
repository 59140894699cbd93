//! What has configs, as Kafka names it.

use penstock_authz::Resource as Authority;

/// Kafka's numbers of the types.
pub(crate) const TOPIC: i8 = 2;
pub(crate) const BROKER: i8 = 4;
pub(crate) const BROKER_LOGGER: i8 = 8;
pub(crate) const CLIENT_METRICS: i8 = 16;
pub(crate) const GROUP: i8 = 32;

/// A resource whose configs are read or changed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Resource<'a> {
    Topic(&'a str),
    Broker(i32),
    /// The defaults of all brokers: a broker without a name.
    AllBrokers,
    /// A group. Its configs are for members that use the protocol of KIP-848.
    Group(&'a str),
    /// A subscription to the metrics of clients.
    ClientMetrics(&'a str),
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
            (GROUP | CLIENT_METRICS, "") => Self::Unsupported,
            (GROUP, name) => Self::Group(name),
            (CLIENT_METRICS, name) => Self::ClientMetrics(name),
            _ => Self::Unsupported,
        }
    }

    /// On what a client needs the right to describe or alter these configs. `None`: there are none.
    pub(crate) fn authority(&self) -> Option<Authority<'a>> {
        match self {
            Self::Topic(name) => Some(Authority::topic(name)),
            Self::Group(name) => Some(Authority::group(name)),
            Self::Broker(_) | Self::AllBrokers | Self::ClientMetrics(_) => Some(Authority::CLUSTER),
            Self::Unsupported => None,
        }
    }
}
