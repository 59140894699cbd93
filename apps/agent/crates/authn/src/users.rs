//! The users of the virtual cluster and their password verifiers, as last received from the metadata service.

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
    /// Expiry in milliseconds since the Unix epoch.
    pub(crate) expires_at_ms: Option<u64>,
}

/// Hides the keys in debug output.
impl fmt::Debug for Credential {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Credential")
            .field("user", &self.user)
            .field("hash", &self.hash)
            .finish_non_exhaustive()
    }
}

impl Credential {
    /// Returns `None` for an unusable credential: of a newer service, or malformed.
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

    /// The name of the user.
    #[must_use]
    pub fn user(&self) -> &str {
        &self.user
    }

    /// When the credential expires, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn expires_at_ms(&self) -> Option<u64> {
        self.expires_at_ms
    }

    /// Returns true if the credential has expired.
    #[must_use]
    pub fn is_expired(&self, now_ms: u64) -> bool {
        self.expires_at_ms.is_some_and(|at_ms| at_ms <= now_ms)
    }

    /// Returns true if both have the same password, regardless of their expiry.
    fn has_keys_of(&self, other: &Self) -> bool {
        (self.hash, &self.salt, self.iterations) == (other.hash, &other.salt, other.iterations)
            && (&self.stored_key, &self.server_key) == (&other.stored_key, &other.server_key)
    }

    /// Returns true if this is the user's password. Runs PBKDF2, so call it only where blocking is allowed.
    pub(crate) fn fits(&self, password: &[u8]) -> bool {
        let verifier = Verifier::of_password(self.hash, password, &self.salt, self.iterations);
        verifier.stored_key.ct_eq(&self.stored_key).into()
    }
}

/// All users at one moment.
#[derive(Debug, Default)]
pub struct Users {
    by_name: HashMap<String, Vec<Arc<Credential>>>,
    /// Sorted by user, so that a number always selects the same one.
    in_order: Vec<Arc<Credential>>,
    authentication: AuthenticationRequirement,
    /// Also true for credentials that this agent cannot read: a cluster whose users are all of a newer kind must stay
    /// closed.
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

    /// Returns true if the cluster's settings require clients to sign in.
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

    /// Returns the current credential if it has the same password. Its expiry may differ.
    #[must_use]
    pub fn renewed(&self, credential: &Credential) -> Option<&Arc<Credential>> {
        self.credential(&credential.user, credential.hash)
            .filter(|now| now.has_keys_of(credential))
    }

    /// All credentials of the user selected by `number`, always the same for the same number.
    pub(crate) fn credentials_of_some_user(&self, number: u64) -> &[Arc<Credential>] {
        let index = usize::try_from(number % (self.in_order.len().max(1) as u64)).unwrap_or(0);
        self.in_order
            .get(index)
            .map_or(&[], |credential| self.credentials(&credential.user))
    }

    /// A credential with this hash function selected by `number`, always the same for the same number. Takes the same
    /// time for few users as for many, so that timing reveals nothing.
    pub(crate) fn one_of(&self, hash: ScramHash, number: u64) -> Option<&Arc<Credential>> {
        let count = self.in_order.len();
        let start = usize::try_from(number % (count.max(1) as u64)).unwrap_or(0);
        // Usually all users have the same mechanisms, and the first one matches.
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
    fn credentials_require_sign_in_unless_the_settings_differ() {
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
    fn changing_only_the_expiry_keeps_a_credential() {
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
    fn only_the_password_itself_matches() {
        for mechanism in [Sha256, Sha512] {
            let users = users(vec![credential("a", "pässword", mechanism)]);
            let held = &users.credentials("a")[0];
            assert!(held.fits("pässword".as_bytes()));
            assert!(!held.fits(b"password"));
            assert!(!held.fits(b""));
        }
    }

    #[test]
    fn ignores_a_malformed_credential() {
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
