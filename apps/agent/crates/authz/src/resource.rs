//! What ACLs protect.

use std::fmt;

use crate::operation::{Operation, Operations};

/// Kafka's name of the one cluster resource.
pub const CLUSTER_NAME: &str = "kafka-cluster";

macro_rules! resource_types {
    ($($name:ident = $code:literal, $text:literal;)*) => {
        /// Kinds of resources. The numbers are those of Kafka's ResourceType.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are Kafka's")]
        #[repr(u8)]
        pub enum ResourceType {
            $($name = $code,)*
        }

        impl ResourceType {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The type of this number. `None`: there is none, or it is one of a filter only.
            #[must_use]
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Kafka's name of it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

resource_types! {
    Topic = 2, "TOPIC";
    Group = 3, "GROUP";
    Cluster = 4, "CLUSTER";
    TransactionalId = 5, "TRANSACTIONAL_ID";
    DelegationToken = 6, "DELEGATION_TOKEN";
    User = 7, "USER";
}

impl ResourceType {
    /// Kafka's number of it.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The operations that Kafka knows on such a resource: those that responses about authorized operations name.
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

impl fmt::Display for ResourceType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// One resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Resource<'a> {
    /// What it is.
    pub resource_type: ResourceType,
    /// Its name.
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

    /// A transactional id.
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
        for (code, resource_type) in (2..).zip(ResourceType::ALL) {
            assert_eq!(ResourceType::from_code(code), Some(*resource_type));
            assert_eq!(u32::from(resource_type.code()), code);
        }
        for not_of_an_acl in [0, 1, 8] {
            assert_eq!(ResourceType::from_code(not_of_an_acl), None);
        }
    }
}
