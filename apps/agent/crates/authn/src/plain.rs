//! SASL PLAIN (RFC 4616): a password, verified with the user's SCRAM verifiers.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use penstock_runtime::{Instant, secure_random};
use ring::hmac;
use subtle::ConstantTimeEq as _;

use crate::failure::Failure;
use crate::users::{Credential, Users};

/// Number of users whose last success is cached.
const MAX_REMEMBERED: usize = 1024;
/// How long a success is cached.
const REMEMBERED_FOR: Duration = Duration::from_secs(600);

/// The message of a client.
pub(crate) struct Plain<'a> {
    pub(crate) user: &'a str,
    pub(crate) password: &'a [u8],
}

impl<'a> Plain<'a> {
    pub(crate) fn read(message: &'a [u8]) -> Result<Self, Failure> {
        let malformed = || Failure::malformed("the PLAIN message");
        let mut parts = message.split(|byte| *byte == 0);
        let (Some(authorization), Some(user), Some(password), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(malformed());
        };
        if user.is_empty() || password.is_empty() {
            return Err(malformed());
        }
        let name = std::str::from_utf8(user).map_err(|_| malformed())?;
        if !authorization.is_empty() && authorization != user {
            return Err(Failure::refused(name, "asked to act as another user"));
        }
        Ok(Self { user: name, password })
    }
}

/// Caches recent successes, so that PBKDF2 need not run for each connection. Stores a keyed hash of name and password,
/// never the password. An entry is valid only while the user's verifier is the one that the password was checked
/// against.
#[derive(Debug)]
pub(crate) struct RecentSuccesses {
    key: hmac::Key,
    by_user: Mutex<HashMap<String, Success>>,
}

#[derive(Debug)]
struct Success {
    tag: hmac::Tag,
    credential: Arc<Credential>,
    at: Instant,
}

impl RecentSuccesses {
    /// Creates a cache with a random key that no other process knows.
    pub(crate) fn new() -> Result<Self, ring::error::Unspecified> {
        Ok(Self {
            key: hmac::Key::generate(hmac::HMAC_SHA256, &secure_random())?,
            by_user: Mutex::default(),
        })
    }

    /// Returns the current credential that this password is known to match.
    pub(crate) fn find(&self, plain: &Plain<'_>, users: &Users) -> Option<Arc<Credential>> {
        let tag = self.tag(plain);
        let by_user = self.by_user.lock();
        let success = by_user
            .get(plain.user)
            .filter(|success| success.at.elapsed() < REMEMBERED_FOR)?;
        let is_same: bool = success.tag.as_ref().ct_eq(tag.as_ref()).into();
        is_same.then(|| users.renewed(&success.credential).cloned())?
    }

    pub(crate) fn remember(&self, plain: &Plain<'_>, credential: Arc<Credential>) {
        let success = Success {
            tag: self.tag(plain),
            credential,
            at: Instant::now(),
        };
        let mut by_user = self.by_user.lock();
        if by_user.len() >= MAX_REMEMBERED && !by_user.contains_key(plain.user) {
            let oldest = by_user.iter().min_by_key(|(_, success)| success.at);
            if let Some(user) = oldest.map(|(user, _)| user.clone()) {
                by_user.remove(&user);
            }
        }
        by_user.insert(plain.user.to_owned(), success);
    }

    fn tag(&self, plain: &Plain<'_>) -> hmac::Tag {
        let mut context = hmac::Context::with_key(&self.key);
        context.update(plain.user.as_bytes());
        // A separator that occurs in no name or password.
        context.update(&[0]);
        context.update(plain.password);
        context.sign()
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::proto::ScramMechanism::Sha256;

    use super::*;
    use crate::users::testing::{credential, users};

    #[test]
    fn parses_messages_and_refuses_malformed_ones() {
        for message in [&b"\0a\0b"[..], b"a\0a\0b"] {
            let plain = Plain::read(message).unwrap();
            assert_eq!((plain.user, plain.password), ("a", &b"b"[..]));
        }
        for message in [
            &b""[..],
            b"a\0b",
            b"\0\0b",
            b"\0a\0",
            b"\0a\0b\0c",
            b"x\0a\0b",
            b"\0\xff\0b",
        ] {
            assert!(Plain::read(message).is_err(), "{}", String::from_utf8_lossy(message));
        }
    }

    #[test]
    fn a_success_is_cached_until_the_credential_changes() {
        let recent = RecentSuccesses::new().unwrap();
        let before = users(vec![credential("a", "b", Sha256)]);
        let right = Plain::read(b"\0a\0b").unwrap();
        assert!(recent.find(&right, &before).is_none());
        recent.remember(&right, Arc::clone(&before.credentials("a")[0]));
        assert!(recent.find(&right, &before).is_some());
        assert!(recent.find(&Plain::read(b"\0a\0c").unwrap(), &before).is_none());
        assert!(
            recent
                .find(&right, &users(vec![credential("a", "c", Sha256)]))
                .is_none()
        );
        assert!(recent.find(&right, &users(Vec::new())).is_none());
    }

    #[test]
    fn the_cache_is_bounded_and_holds_no_password() {
        let recent = RecentSuccesses::new().unwrap();
        let known = users(vec![credential("a", "b", Sha256)]);
        for number in 0..MAX_REMEMBERED + 10 {
            let message = format!("\0user-{number}\0pass-word");
            let plain = Plain::read(message.as_bytes()).unwrap();
            recent.remember(&plain, Arc::clone(&known.credentials("a")[0]));
        }
        assert_eq!(recent.by_user.lock().len(), MAX_REMEMBERED);
        assert!(!format!("{recent:?}").contains("pass-word"));
    }
}
