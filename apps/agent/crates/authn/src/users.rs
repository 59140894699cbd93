//! The users of the virtual cluster and the verifiers of their passwords, as last received from the metadata service.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use penstock_metadata_client::proto::{self, AuthenticationRequirement};
use penstock_scram::{ScramHash, Verifier};
use subtle::ConstantTimeEq as _;

use crate::mechanism::hash_of;

/// A user's SCRAM verifier.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    pub(crate) user: String,
    pub(crate) hash: ScramHash,
    pub(crate) salt: Vec<u8>,
    pub(crate) stored_key: Vec<u8>,
    pub(crate) server_key: Vec<u8>,
    pub(crate) iterations: NonZeroU32,
    /// Milliseconds since the Unix epoch.
    pub(crate) expires_at_ms: Option<u64>,
}

/// Without the keys.
impl fmt::Debug for Credential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Credential")
            .field("user", &self.user)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Credential {
    /// `None` for a credential that no exchange could succeed with: of a newer service, or broken.
    fn read(credential: &proto::ScramCredential) -> Option<Self> {
        let hash = hash_of(credential.mechanism())?;
        let len = hash.output_len();
        let is_whole = credential.stored_key.len() == len && credential.server_key.len() == len;
        is_whole.then_some(Self {
            user: credential.user.clone(),
            hash,
            salt: credential.salt.to_vec(),
            stored_key: credential.stored_key.to_vec(),
            server_key: credential.server_key.to_vec(),
            iterations: NonZeroU32::new(credential.iterations)?,
            expires_at_ms: u64::try_from(credential.expires_at_ms).ok().filter(|at_ms| *at_ms > 0),
        })
    }

    /// Whose credential it is.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// When it ends, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<u64> {
        self.expires_at_ms
    }

    /// Whether the credential has ended.
    #[must_use]
    pub fn is_expired(&self, now_ms: u64) -> bool {
        self.expires_at_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Whether both are of the same password, whenever they expire.
    fn has_keys_of(&self, other: &Self) -> bool {
        (self.hash, &self.salt, self.iterations) == (other.hash, &other.salt, other.iterations)
            && (&self.stored_key, &self.server_key) == (&other.stored_key, &other.server_key)
    }

    /// Whether this is the user's password. Takes as long as PBKDF2 does, so call it where blocking is allowed.
    pub(crate) fn fits(&self, password: &[u8]) -> bool {
        let verifier = Verifier::of_password(self.hash, password, &self.salt, self.iterations);
        verifier.stored_key.ct_eq(&self.stored_key).into()
    }
}

/// All users at one moment.
#[derive(Debug, Default)]
pub struct Users {
    by_name: HashMap<String, Vec<Arc<Credential>>>,
    /// By user, so that the same number always finds the same one.
    in_order: Vec<Arc<Credential>>,
    authentication: AuthenticationRequirement,
    /// Also those that this agent cannot read: a cluster whose users are all of a newer kind must stay closed.
    has_credentials: bool,
}

impl Users {
    pub(crate) fn new(state: &proto::SecurityState) -> Self {
        let mut in_order: Vec<Arc<Credential>> = state
            .credentials
            .iter()
            .filter_map(Credential::read)
            .map(Arc::new)
            .collect();
        in_order.sort_unstable_by(|left, right| left.user.cmp(&right.user));
        let mut by_name: HashMap<String, Vec<Arc<Credential>>> = HashMap::new();
        for credential in &in_order {
            by_name
                .entry(credential.user.clone())
                .or_default()
                .push(Arc::clone(credential));
        }
        Self {
            has_credentials: !state.credentials.is_empty(),
            by_name,
            in_order,
            authentication: state
                .settings
                .as_ref()
                .map_or_else(Default::default, |settings| settings.authentication()),
        }
    }

    /// Whether the cluster's settings demand that clients sign in.
    #[must_use]
    pub fn demand_authentication(&self) -> bool {
        match self.authentication {
            AuthenticationRequirement::Unspecified | AuthenticationRequirement::WhenCredentialsExist => {
                self.has_credentials
            }
            AuthenticationRequirement::Always => true,
            AuthenticationRequirement::Never => false,
        }
    }

    pub(crate) fn credentials(&self, user: &str) -> &[Arc<Credential>] {
        self.by_name.get(user).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn credential(&self, user: &str, hash: ScramHash) -> Option<&Arc<Credential>> {
        self.credentials(user).iter().find(|credential| credential.hash == hash)
    }

    /// The credential as it is now, if it is still of the same password: expiry dates may move.
    #[must_use]
    pub fn renewed(&self, credential: &Credential) -> Option<&Arc<Credential>> {
        self.credential(&credential.user, credential.hash)
            .filter(|now| now.has_keys_of(credential))
    }

    /// All credentials of some user, always the same one for the same number.
    pub(crate) fn credentials_of_some_user(&self, number: u64) -> &[Arc<Credential>] {
        let index = usize::try_from(number % (self.in_order.len().max(1) as u64)).unwrap_or(0);
        self.in_order
            .get(index)
            .map_or(&[], |credential| self.credentials(&credential.user))
    }

    /// Any of the credentials with this hash function, always the same one for the same number. Takes as long for a few users as for
    /// many, so that its time tells nothing.
    pub(crate) fn one_of(&self, hash: ScramHash, number: u64) -> Option<&Arc<Credential>> {
        let count = self.in_order.len();
        let start = usize::try_from(number % (count.max(1) as u64)).unwrap_or(0);
        // As a rule all users have the same mechanisms, and the first one fits.
        (0..count)
            .filter_map(|step| self.in_order.get((start + step) % count))
            .find(|credential| credential.hash == hash)
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A credential as a client derives it.
    pub(crate) fn credential(user: &str, password: &str, mechanism: proto::ScramMechanism) -> proto::ScramCredential {
        let hash = hash_of(mechanism).unwrap();
        let salt = format!("salt of {user}").into_bytes();
        let iterations = NonZeroU32::new(4096).unwrap();
        let verifier = Verifier::of_password(hash, password.as_bytes(), &salt, iterations);
        proto::ScramCredential {
            user: user.to_owned(),
            mechanism: mechanism.into(),
            stored_key: verifier.stored_key.into(),
            server_key: verifier.server_key.into(),
            salt: salt.into(),
            iterations: iterations.get(),
            ..Default::default()
        }
    }

    pub(crate) fn users(credentials: Vec<proto::ScramCredential>) -> Users {
        Users::new(&proto::SecurityState {
            credentials,
            ..Default::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use proto::ScramMechanism::{Sha256, Sha512};

    use super::testing::{credential, users};
    use super::*;

    #[test]
    fn clients_must_sign_in_as_soon_as_there_is_a_credential_unless_the_settings_say_otherwise() {
        use AuthenticationRequirement::{Always, Never, WhenCredentialsExist};
        let demands = |authentication: AuthenticationRequirement, credentials: Vec<proto::ScramCredential>| {
            let settings = proto::SecuritySettings {
                authentication: authentication.into(),
                ..Default::default()
            };
            Users::new(&proto::SecurityState {
                settings: Some(settings),
                credentials,
                ..Default::default()
            })
            .demand_authentication()
        };
        let one = || vec![credential("a", "b", Sha256)];
        assert!(!Users::default().demand_authentication());
        assert!(users(one()).demand_authentication());
        assert!(!demands(WhenCredentialsExist, Vec::new()));
        assert!(demands(WhenCredentialsExist, one()));
        let of_a_newer_kind = proto::ScramCredential {
            mechanism: 99,
            ..credential("a", "b", Sha256)
        };
        assert!(demands(WhenCredentialsExist, vec![of_a_newer_kind]));
        assert!(demands(Always, Vec::new()));
        assert!(!demands(Never, one()));
    }

    #[test]
    fn a_credential_stays_the_same_when_only_its_expiry_moves() {
        let first = users(vec![credential("a", "b", Sha256)]);
        let held = Arc::clone(first.credential("a", ScramHash::Sha256).unwrap());
        let mut moved = credential("a", "b", Sha256);
        moved.expires_at_ms = 7;
        assert_eq!(users(vec![moved]).renewed(&held).unwrap().expires_at_ms(), Some(7));
        assert!(users(vec![credential("a", "c", Sha256)]).renewed(&held).is_none());
        assert!(users(vec![credential("a", "b", Sha512)]).renewed(&held).is_none());
        assert!(users(Vec::new()).renewed(&held).is_none());
    }

    #[test]
    fn only_the_password_itself_fits() {
        for mechanism in [Sha256, Sha512] {
            let users = users(vec![credential("a", "pässword", mechanism)]);
            let held = &users.credentials("a")[0];
            assert!(held.fits("pässword".as_bytes()));
            assert!(!held.fits(b"password"));
            assert!(!held.fits(b""));
        }
    }

    #[test]
    fn a_broken_credential_is_as_none() {
        let mut short = credential("a", "b", Sha256);
        short.stored_key.truncate(31);
        assert!(users(vec![short]).credentials("a").is_empty());
    }

    #[test]
    fn keys_are_not_in_debug_output() {
        let users = users(vec![credential("a", "b", Sha256)]);
        let shown = format!("{users:?}");
        assert!(shown.contains("\"a\"") && !shown.contains("key"), "{shown}");
    }
}
