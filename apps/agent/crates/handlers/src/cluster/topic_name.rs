//! Kafka's rules for topic names.

const MAX_NAME_BYTES: usize = 249;

/// Returns true if a topic may have this name. Only a few characters are allowed, because the name becomes part of
/// paths and metrics.
pub(crate) fn is_valid(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name != "." && name != ".." && name.bytes().all(allowed)
}

/// Returns true if Kafka stores its own state in a topic of this name. Penstock has no such topic, and the metadata
/// service refuses to create one.
pub(crate) fn is_internal(name: &str) -> bool {
    matches!(
        name,
        "__cluster_metadata" | "__consumer_offsets" | "__share_group_state" | "__transaction_state"
    )
}

/// Returns why a topic may not have this name.
pub(crate) fn refusal(name: &str) -> String {
    format!(
        "invalid topic name '{name}': use 1 to {MAX_NAME_BYTES} ASCII letters, digits, '.', '_' and '-', other than '.' and '..'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_kafkas_rules() {
        for good in ["a", "orders.v1", "A_b-9", &"x".repeat(249)] {
            assert!(is_valid(good), "{good}");
        }
        for bad in ["", ".", "..", "a b", "ü", "a/b", &"x".repeat(250)] {
            assert!(!is_valid(bad), "{bad}");
        }
    }
}
