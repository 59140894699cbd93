//! Who a client is, as ACLs, quotas and logs name it.

use std::fmt;
use std::sync::{Arc, LazyLock};

/// The only kind of principal that an agent gives to clients.
const USER: &str = "User";
const ANONYMOUS: &str = "ANONYMOUS";

static ANONYMOUS_PRINCIPAL: LazyLock<Arc<Principal>> = LazyLock::new(|| Arc::new(Principal::user(ANONYMOUS)));

/// A Kafka principal, `User:alice` as text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Principal {
    text: String,
    /// Length of the kind.
    colon: usize,
}

impl Principal {
    /// The principal `User:<name>`.
    #[must_use]
    pub fn user(name: &str) -> Self {
        Self::new(USER, name)
    }

    /// The principal of a client that has not signed in: `User:ANONYMOUS`, as in Kafka.
    #[must_use]
    pub fn anonymous() -> Arc<Self> {
        Arc::clone(&ANONYMOUS_PRINCIPAL)
    }

    /// Reads `kind:name`. A name may have colons, a kind may not. `None`: there is no colon, or nothing in front of it.
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

    /// What the principal is: `User` for all clients.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.text[..self.colon]
    }

    /// The name without its kind.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text[self.colon + 1..]
    }

    /// `kind:name`, as ACLs name it.
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
    fn a_principal_reads_back_from_its_text() {
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
    fn a_client_that_has_not_signed_in_is_kafkas_anonymous_user() {
        assert_eq!(Principal::anonymous().to_string(), "User:ANONYMOUS");
    }
}
