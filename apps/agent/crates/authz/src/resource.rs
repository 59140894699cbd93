//! The resources that ACLs protect.

use crate::kafka_enum::kafka_enum;
use crate::operation::{Operation, Operations};

/// Kafka's name for the only cluster resource.
pub const CLUSTER_NAME: &str = "kafka-cluster";

kafka_enum! {
    /// Types of resources. The numbers are those of Kafka's ResourceType.
    ResourceType {
        Topic = 2, "TOPIC";
        Group = 3, "GROUP";
        Cluster = 4, "CLUSTER";
        TransactionalId = 5, "TRANSACTIONAL_ID";
        DelegationToken = 6, "DELEGATION_TOKEN";
        User = 7, "USER";
    }
}

impl ResourceType {
    /// The operations that Kafka defines for such a resource, as listed in authorized operations of responses.
    #[must_use]
    pub fn operations(self) -> Operations {
        use Operation as Op;
        match self {
            Self::Topic => Operations::of(&[
                Op::Read,
                Op::Write,
                Op::Create,
                Op::Describe,
                Op::Delete,
                Op::Alter,
                Op::DescribeConfigs,
                Op::AlterConfigs,
            ]),
            Self::Group => Operations::of(&[
                Op::Read,
                Op::Describe,
                Op::Delete,
                Op::DescribeConfigs,
                Op::AlterConfigs,
            ]),
            Self::Cluster => Operations::of(&[
                Op::Create,
                Op::ClusterAction,
                Op::DescribeConfigs,
                Op::AlterConfigs,
                Op::IdempotentWrite,
                Op::Alter,
                Op::Describe,
            ]),
            Self::TransactionalId => Operations::of(&[Op::Describe, Op::Write, Op::TwoPhaseCommit]),
            Self::DelegationToken => Operations::of(&[Op::Describe]),
            Self::User => Operations::of(&[Op::CreateTokens, Op::DescribeTokens]),
        }
    }
}

/// A resource with its type and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resource<'a> {
    /// The type of the resource.
    pub resource_type: ResourceType,
    /// The name of the resource.
    pub name: &'a str,
}

impl<'a> Resource<'a> {
    /// The cluster as a whole.
    pub const CLUSTER: Resource<'static> = Resource {
        resource_type: ResourceType::Cluster,
        name: CLUSTER_NAME,
    };

    /// A topic, existing or not.
    #[must_use]
    pub fn topic(name: &'a str) -> Self {
        Self {
            resource_type: ResourceType::Topic,
            name,
        }
    }

    /// A consumer group, existing or not.
    #[must_use]
    pub fn group(name: &'a str) -> Self {
        Self {
            resource_type: ResourceType::Group,
            name,
        }
    }

    /// A transactional id, in use or not.
    #[must_use]
    pub fn transactional_id(name: &'a str) -> Self {
        Self {
            resource_type: ResourceType::TransactionalId,
            name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kafkas() {
        for (code, resource_type) in (2..).zip(ResourceType::VALUES) {
            assert_eq!(ResourceType::from_code(code), Some(*resource_type));
            assert_eq!(u32::from(resource_type.code()), code);
        }
        for not_of_an_acl in [0, 1, 8] {
            assert_eq!(ResourceType::from_code(not_of_an_acl), None);
        }
    }
}
