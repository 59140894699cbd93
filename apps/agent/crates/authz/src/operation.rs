//! Kafka's operations on resources, and sets of them.

use crate::kafka_enum::kafka_enum;

kafka_enum! {
    /// An operation on a resource. The numbers are those of Kafka's AclOperation.
    Operation {
        All = 2, "ALL";
        Read = 3, "READ";
        Write = 4, "WRITE";
        Create = 5, "CREATE";
        Delete = 6, "DELETE";
        Alter = 7, "ALTER";
        Describe = 8, "DESCRIBE";
        ClusterAction = 9, "CLUSTER_ACTION";
        DescribeConfigs = 10, "DESCRIBE_CONFIGS";
        AlterConfigs = 11, "ALTER_CONFIGS";
        IdempotentWrite = 12, "IDEMPOTENT_WRITE";
        CreateTokens = 13, "CREATE_TOKENS";
        DescribeTokens = 14, "DESCRIBE_TOKENS";
        TwoPhaseCommit = 15, "TWO_PHASE_COMMIT";
    }
}

/// A set of operations, as Kafka's bit field: bit n is the operation with number n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Operations(u32);

impl Operations {
    /// The empty set of operations.
    pub const NONE: Self = Self(0);
    /// The set of all operations.
    pub const EVERY: Self = Self(u32::MAX);

    /// Creates a set of these operations.
    #[must_use]
    pub const fn of(operations: &[Operation]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < operations.len() {
            bits |= 1 << operations[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    /// The operations named by an ACL: `All` means every operation.
    #[must_use]
    pub(crate) fn stated_by(operation: Operation) -> Self {
        match operation {
            Operation::All => Self::EVERY,
            one => Self::of(&[one]),
        }
    }

    /// Adds the operations that Kafka's allowed operations imply: read, write, delete and alter imply describe, and
    /// alter configs implies describe configs. Denied operations imply nothing.
    #[must_use]
    pub(crate) fn with_implied(self) -> Self {
        const IMPLY_DESCRIBE: Operations =
            Operations::of(&[Operation::Read, Operation::Write, Operation::Delete, Operation::Alter]);
        let mut all = self;
        if self.0 & IMPLY_DESCRIBE.0 != 0 {
            all = all.and(Self::of(&[Operation::Describe]));
        }
        if self.has(Operation::AlterConfigs) {
            all = all.and(Self::of(&[Operation::DescribeConfigs]));
        }
        all
    }

    /// Returns true if the set contains the operation.
    #[must_use]
    pub fn has(self, operation: Operation) -> bool {
        self.0 & (1 << operation.code()) != 0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the intersection of both sets.
    #[must_use]
    pub const fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the operations that are not in the other set.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The bit field as sent in Kafka's responses.
    #[must_use]
    pub const fn bit_field(self) -> i32 {
        self.0.cast_signed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kafkas() {
        for (code, operation) in (2..).zip(Operation::VALUES) {
            assert_eq!(Operation::from_code(code), Some(*operation));
            assert_eq!(u32::from(operation.code()), code);
        }
        for not_of_an_acl in [0, 1, 16] {
            assert_eq!(Operation::from_code(not_of_an_acl), None);
        }
    }

    #[test]
    fn only_kafkas_operations_imply_others() {
        let describes = |operation| Operations::stated_by(operation).with_implied().has(Operation::Describe);
        for (operation, implies) in [
            (Operation::Read, true),
            (Operation::Write, true),
            (Operation::Delete, true),
            (Operation::Alter, true),
            (Operation::All, true),
            (Operation::Create, false),
            (Operation::AlterConfigs, false),
            (Operation::IdempotentWrite, false),
        ] {
            assert_eq!(describes(operation), implies, "{operation}");
        }
        let configs = Operations::stated_by(Operation::AlterConfigs).with_implied();
        assert!(configs.has(Operation::DescribeConfigs));
    }
}
