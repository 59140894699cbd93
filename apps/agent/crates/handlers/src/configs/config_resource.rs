//! Resources that have configs, in Kafka's terms.

use penstock_authz::Resource as Authority;

/// Kafka's codes for the types.
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
    /// The defaults of all brokers: a broker with an empty name.
    AllBrokers,
    /// A group. Its configs apply to members that use the protocol of KIP-848.
    Group(&'a str),
    /// A client metrics subscription.
    ClientMetrics(&'a str),
    /// A type of resource, or the name of a broker, that does not exist here.
    Unsupported,
}

impl<'a> Resource<'a> {
    /// Converts a resource type and name from a request.
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

    /// The resource whose rights a client needs to describe or alter these configs. `None` if the resource has no
    /// configs.
    pub(crate) fn authority(&self) -> Option<Authority<'a>> {
        match self {
            Self::Topic(name) => Some(Authority::topic(name)),
            Self::Group(name) => Some(Authority::group(name)),
            Self::Broker(_) | Self::AllBrokers | Self::ClientMetrics(_) => Some(Authority::CLUSTER),
            Self::Unsupported => None,
        }
    }
}
