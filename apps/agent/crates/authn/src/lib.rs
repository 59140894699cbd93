//! Authentication of Kafka clients: SASL exchanges and the subjects of TLS certificates. Knows nothing of sockets and
//! ACLs.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod authority;
mod distinguished_name;
mod exchange;
mod failure;
mod mechanism;
mod nonces;
mod password_places;
mod plain;
mod principal_rules;
mod scram;
mod tokens;
mod users;
mod uses;

pub use authority::{Authority, AuthoritySettings, NoRandomness, Requirement};
pub use distinguished_name::{BadCertificate, subject, valid_until};
pub use exchange::{Exchange, Identity, Step};
pub use failure::Failure;
pub use mechanism::Mechanism;
pub use penstock_scram::ScramHash;
pub use principal_rules::{PrincipalRules, RuleError};
pub use tokens::{BearerVerifier, Holder, KeySet, KeySetError, TokenRules};
pub use users::{Credential, Users};
pub use uses::{CredentialUse, CredentialUses, UseGuard};
