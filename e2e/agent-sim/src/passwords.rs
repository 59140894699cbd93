//! The record of one user's passwords, and what must be true of sign-ins with them.

use std::collections::BTreeMap;

use crate::changing::{Changing, STALE_MS};

/// `--max-users-age-ms` of the agents.
pub(crate) const MAX_USERS_AGE_MS: i64 = 5_000;
/// How long an agent may let in a user that it should no longer know: until it notices that it is cut off, and as long as
/// it may then trust what it knows.
pub(crate) const TRUSTED_MS: i64 = STALE_MS + MAX_USERS_AGE_MS;

/// An attempt to sign in with the password of this number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attempt {
    pub(crate) password: usize,
    pub(crate) sent_ms: i64,
    pub(crate) is_accepted: bool,
    /// Nothing fails any more, so the right password must be accepted.
    pub(crate) is_calm: bool,
}

/// The passwords of a user. Each has a number, and none is set twice.
#[derive(Debug)]
pub(crate) struct Passwords {
    /// `None`: the user has no credential.
    current: Changing<Option<usize>>,
    /// When a password was replaced or deleted for certain.
    ended: BTreeMap<usize, i64>,
    last: usize,
    pub(crate) accepted: usize,
    pub(crate) refused: usize,
    pub(crate) faults: Vec<String>,
}

impl Passwords {
    pub(crate) fn new() -> Self {
        Self {
            current: Changing::new(None, 0),
            ended: BTreeMap::new(),
            last: 0,
            accepted: 0,
            refused: 0,
            faults: Vec::new(),
        }
    }

    /// The number of the password that was set last, whether it still holds or not.
    pub(crate) fn last(&self) -> usize {
        self.last
    }

    pub(crate) fn current(&self) -> Option<usize> {
        self.current.value
    }

    /// A change is about to be sent. Returns the number of the next password.
    pub(crate) fn changes(&mut self) -> usize {
        self.current.changes();
        self.last + 1
    }

    /// The change was acknowledged: this password holds now, or none.
    pub(crate) fn changed(&mut self, to: Option<usize>, now_ms: i64) {
        if let Some(before) = self.current.value {
            self.ended.insert(before, now_ms);
        }
        self.last = to.unwrap_or(self.last);
        self.current = Changing::new(to, now_ms);
    }

    /// Judges the answer to an attempt.
    pub(crate) fn attempted(&mut self, attempt: Attempt) {
        let Attempt { password, sent_ms, .. } = attempt;
        match attempt.is_accepted {
            true => self.accepted += 1,
            false => self.refused += 1,
        }
        let ended = self.ended.get(&password);
        let fault = match attempt.is_accepted {
            true if ended.is_some_and(|ended_ms| ended_ms + TRUSTED_MS <= sent_ms) => {
                Some("was accepted after its end")
            }
            true if password > self.last + 1 => Some("was accepted and never set"),
            false if attempt.is_calm && self.current.certain(sent_ms, TRUSTED_MS) == Some(Some(password)) => {
                Some("holds and was refused")
            }
            _ => None,
        };
        let fault = fault.map(|fault| format!("password {password} {fault}"));
        self.faults.extend(fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempt(password: usize, sent_ms: i64, is_accepted: bool) -> Attempt {
        Attempt {
            password,
            sent_ms,
            is_accepted,
            is_calm: true,
        }
    }

    fn passwords() -> Passwords {
        let mut passwords = Passwords::new();
        for now_ms in [0, 1_000] {
            let next = passwords.changes();
            passwords.changed(Some(next), now_ms);
        }
        passwords
    }

    #[test]
    fn notices_a_password_that_outlives_its_end() {
        let mut passwords = passwords();
        passwords.attempted(attempt(1, 1_000 + TRUSTED_MS - 1, true));
        assert_eq!(passwords.faults, [] as [&str; 0]);
        passwords.attempted(attempt(1, 1_000 + TRUSTED_MS, true));
        assert_eq!(passwords.faults, ["password 1 was accepted after its end"]);
    }

    #[test]
    fn notices_a_refused_password_that_holds() {
        let mut passwords = passwords();
        passwords.attempted(attempt(2, 1_000 + TRUSTED_MS - 1, false));
        passwords.attempted(attempt(1, 60_000, false));
        assert_eq!(passwords.faults, [] as [&str; 0]);
        passwords.attempted(attempt(2, 60_000, false));
        assert_eq!(passwords.faults, ["password 2 holds and was refused"]);
    }

    #[test]
    fn notices_a_password_that_nobody_set() {
        let mut passwords = passwords();
        passwords.attempted(attempt(3, 60_000, true));
        assert_eq!(passwords.faults, [] as [&str; 0], "its change may be on its way");
        passwords.attempted(attempt(4, 60_000, true));
        assert_eq!(passwords.faults, ["password 4 was accepted and never set"]);
    }
}
