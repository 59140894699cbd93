//! The secrets with which the agents of a cluster authenticate each other. The metadata service sends them to
//! registered agents and rotates them every few minutes, so an agent whose key was revoked soon has only expired ones.

use parking_lot::RwLock;
use penstock_metadata_client::proto;
use ring::hmac::{HMAC_SHA256, Key};

/// Minimum secret length. Shorter ones are not used.
const MIN_SECRET_BYTES: usize = 32;
/// More than a service ever sends.
const MAX_SECRETS: usize = 8;

/// A secret and its id.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) id: u64,
    pub(crate) key: Key,
}

/// The last secrets from the service. Debug output shows only ids.
#[derive(Debug, Default)]
pub struct PeerSecrets {
    current: RwLock<CurrentSecrets>,
}

#[derive(Debug, Default)]
struct CurrentSecrets {
    accepted: Vec<Secret>,
    signing_id: Option<u64>,
}

impl PeerSecrets {
    /// Sets the secrets from a registration or heartbeat. Keeps the last ones if there are none, as with an older
    /// service.
    pub fn set(&self, secrets: &[proto::PeerSecret]) {
        if secrets.is_empty() {
            return;
        }
        let usable = secrets
            .iter()
            .filter(|secret| secret.secret.len() >= MIN_SECRET_BYTES)
            .take(MAX_SECRETS);
        let accepted = usable.clone().map(|secret| Secret {
            id: secret.id,
            key: Key::new(HMAC_SHA256, &secret.secret),
        });
        let current = CurrentSecrets {
            accepted: accepted.collect(),
            signing_id: usable.clone().find(|secret| secret.signs).map(|secret| secret.id),
        };
        *self.current.write() = current;
    }

    /// The secret that signs requests; `None` until the service has sent one.
    pub(crate) fn signing(&self) -> Option<Secret> {
        let current = self.current.read();
        current
            .accepted
            .iter()
            .find(|secret| Some(secret.id) == current.signing_id)
            .cloned()
    }

    /// Returns true if requests can be signed.
    pub(crate) fn can_sign(&self) -> bool {
        self.current.read().signing_id.is_some()
    }

    /// Returns the secret with this id while it is accepted.
    pub(crate) fn accepted(&self, id: u64) -> Option<Secret> {
        let current = self.current.read();
        current.accepted.iter().find(|secret| secret.id == id).cloned()
    }
}
