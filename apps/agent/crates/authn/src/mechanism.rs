//! The SASL mechanisms that agents offer.

use std::fmt;

use penstock_metadata_client::proto::ScramMechanism;
use penstock_scram::ScramHash;

/// A SASL mechanism. The variants are in the order in which they are offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mechanism {
    /// SCRAM with SHA-512 (RFC 7677), as Kafka defines it.
    ScramSha512,
    /// SCRAM with SHA-256 (RFC 7677).
    ScramSha256,
    /// The password itself (RFC 4616). Requires TLS.
    Plain,
    /// A token from an identity provider (RFC 7628). Requires TLS.
    OauthBearer,
}

impl Mechanism {
    const ALL: [Self; 4] = [Self::ScramSha512, Self::ScramSha256, Self::Plain, Self::OauthBearer];

    /// The name in SaslHandshake.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ScramSha512 => "SCRAM-SHA-512",
            Self::ScramSha256 => "SCRAM-SHA-256",
            Self::Plain => "PLAIN",
            Self::OauthBearer => "OAUTHBEARER",
        }
    }

    /// Returns the mechanism with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mechanism| mechanism.name() == name)
    }

    /// Returns true if clients send a secret that an eavesdropper could reuse.
    #[must_use]
    pub fn needs_tls(self) -> bool {
        matches!(self, Self::Plain | Self::OauthBearer)
    }
}

impl fmt::Display for Mechanism {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

pub(crate) fn mechanism_of(hash: ScramHash) -> ScramMechanism {
    match hash {
        ScramHash::Sha256 => ScramMechanism::Sha256,
        ScramHash::Sha512 => ScramMechanism::Sha512,
    }
}

/// Returns `None` for a mechanism of a newer service.
pub(crate) fn hash_of(mechanism: ScramMechanism) -> Option<ScramHash> {
    match mechanism {
        ScramMechanism::Sha256 => Some(ScramHash::Sha256),
        ScramMechanism::Sha512 => Some(ScramHash::Sha512),
        ScramMechanism::Unspecified => None,
    }
}
