//! The secrets of the cluster by which its agents know each other. The metadata service hands them to registered agents and
//! changes them every few minutes, so an agent whose key was revoked soon holds only dead ones.

use std::sync::{PoisonError, RwLock};

use penstock_metadata_client::proto;
use ring::hmac::{HMAC_SHA256, Key};

/// Shorter ones are not worth their name.
const MIN_SECRET_BYTES: usize = 32;
/// More than a service ever names.
const MAX_SECRETS: usize = 8;

/// A secret and its id.
#[derive(Debug, Clone)]
pub(crate) struct Secret {
    pub(crate) id: u64,
    pub(crate) key: Key,
}

/// What the service named last. Debug output shows ids only.
#[derive(Debug, Default)]
pub struct PeerSecrets {
    told: RwLock<Told>,
}

#[derive(Debug, Default)]
struct Told {
    accepted: Vec<Secret>,
    signing_id: Option<u64>,
}

impl PeerSecrets {
    /// Takes the secrets of a registration or heartbeat. An older service names none: the last ones stay.
    pub fn set(&self, secrets: &[proto::PeerSecret]) {
        if secrets.is_empty() {
            return;
        }
        let usable = secrets
            .iter()
            .filter(|told| told.secret.len() >= MIN_SECRET_BYTES)
            .take(MAX_SECRETS);
        let accepted = usable.clone().map(|told| Secret {
            id: told.id,
            key: Key::new(HMAC_SHA256, &told.secret),
        });
        let told = Told {
            accepted: accepted.collect(),
            signing_id: usable.clone().find(|told| told.signs).map(|told| told.id),
        };
        *self.told.write().unwrap_or_else(PoisonError::into_inner) = told;
    }

    /// The secret that signs requests; `None` as long as the service has named none.
    pub(crate) fn signing(&self) -> Option<Secret> {
        let told = self.told.read().unwrap_or_else(PoisonError::into_inner);
        told.accepted
            .iter()
            .find(|secret| Some(secret.id) == told.signing_id)
            .cloned()
    }

    /// Whether requests can be signed.
    pub(crate) fn can_sign(&self) -> bool {
        self.told
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .signing_id
            .is_some()
    }

    /// The secret of this id, while it is accepted.
    pub(crate) fn accepted(&self, id: u64) -> Option<Secret> {
        let told = self.told.read().unwrap_or_else(PoisonError::into_inner);
        told.accepted.iter().find(|secret| secret.id == id).cloned()
    }
}
