//! The identity of a client, as named in ACLs, quotas and logs.

use std::fmt;
use std::sync::{Arc, LazyLock};

/// The only type of principal that an agent gives to clients.
const USER: &str = "User";
const ANONYMOUS: &str = "ANONYMOUS";

static ANONYMOUS_PRINCIPAL: LazyLock<Arc<Principal>> = LazyLock::new(|| Arc::new(Principal::user(ANONYMOUS)));

/// A Kafka principal, such as `User:alice`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Principal {
    text: String,
    /// Length of the type, and so the position of the colon.
    colon: usize,
}

impl Principal {
    /// Creates the principal `User:<name>`.
    #[must_use]
    pub fn user(name: &str) -> Self {
        Self::new(USER, name)
    }

    /// The principal of an unauthenticated client: `User:ANONYMOUS`, as in Kafka.
    #[must_use]
    pub fn anonymous() -> Arc<Self> {
        Arc::clone(&ANONYMOUS_PRINCIPAL)
    }

    /// Parses `type:name`. Only the name may contain colons. `None` if there is no colon, or nothing before it.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, name) = text.split_once(':')?;
        (!kind.is_empty()).then(|| Self::new(kind, name))
    }

    fn new(kind: &str, name: &str) -> Self {
        Self {
            text: format!("{kind}:{name}"),
            colon: kind.len(),
        }
    }

    /// The principal's type: `User` for all clients.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.text[..self.colon]
    }

    /// The name without its type.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text[self.colon + 1..]
    }

    /// The text `type:name`, as in ACLs.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_principal_round_trips_through_its_text() {
        for principal in [
            Principal::user("alice"),
            Principal::user("CN=a:b,O=c"),
            Principal::new("Group", ""),
        ] {
            assert_eq!(Principal::parse(&principal.to_string()), Some(principal));
        }
        assert_eq!(Principal::parse("alice"), None);
        assert_eq!(Principal::parse(":alice"), None);
    }

    #[test]
    fn an_unauthenticated_client_is_kafkas_anonymous_user() {
        assert_eq!(Principal::anonymous().to_string(), "User:ANONYMOUS");
    }
}
