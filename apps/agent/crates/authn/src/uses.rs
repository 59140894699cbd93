//! Tracks when clients used which credentials, for the report to the control plane.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;
use penstock_metadata_client::cache::ClusterCache;
use penstock_scram::ScramHash;

use crate::users::Credential;

/// Interval at which a credential of an open connection is reported again.
const REPORT_INTERVAL_MS: u64 = 60_000;

type Key = (String, ScramHash);

/// The latest use of a credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CredentialUse {
    /// The name of the user.
    pub user: String,
    /// The hash function of the credential's mechanism.
    pub hash: ScramHash,
    /// Address of the last client that signed in.
    pub host: IpAddr,
    /// Time of the last use, in milliseconds since the Unix epoch.
    pub last_ms: u64,
}

#[derive(Debug)]
struct Used {
    host: IpAddr,
    last_ms: u64,
    reported_ms: u64,
    open_connections: usize,
}

/// The credentials in use now or since the last report, with at most one entry per credential.
#[derive(Debug)]
pub struct CredentialUses {
    cache: Arc<ClusterCache>,
    used: Mutex<HashMap<Key, Used>>,
}

/// Marks the credential as used until it is dropped.
#[derive(Debug)]
pub struct UseGuard {
    uses: Arc<CredentialUses>,
    key: Key,
}

impl CredentialUses {
    /// Uses the clock of `cache`.
    pub(crate) fn new(cache: Arc<ClusterCache>) -> Arc<Self> {
        Arc::new(Self {
            cache,
            used: Mutex::default(),
        })
    }

    /// Records that a client signed in with the credential.
    #[must_use]
    pub fn begin(self: &Arc<Self>, credential: &Credential, host: IpAddr) -> UseGuard {
        let key = (credential.user.clone(), credential.hash);
        let last_ms = self.cache.clock.now_ms();
        match self.lock().entry(key.clone()) {
            Entry::Occupied(known) => {
                let used = known.into_mut();
                used.host = host;
                used.last_ms = used.last_ms.max(last_ms);
                used.open_connections += 1;
            }
            Entry::Vacant(vacant) => {
                vacant.insert(Used {
                    host,
                    last_ms,
                    reported_ms: 0,
                    open_connections: 1,
                });
            }
        }
        UseGuard {
            uses: Arc::clone(self),
            key,
        }
    }

    /// Returns up to `limit` uses since the last report, those that waited longest first.
    #[must_use]
    pub fn unreported(&self, limit: usize) -> Vec<CredentialUse> {
        let now_ms = self.cache.clock.now_ms();
        let mut used = self.lock();
        let mut due: Vec<(u64, CredentialUse)> = Vec::new();
        for ((user, hash), used) in used.iter_mut() {
            if used.open_connections > 0 && used.reported_ms + REPORT_INTERVAL_MS <= now_ms {
                used.last_ms = used.last_ms.max(now_ms);
            }
            if used.last_ms > used.reported_ms {
                let latest = CredentialUse {
                    user: user.clone(),
                    hash: *hash,
                    host: used.host,
                    last_ms: used.last_ms,
                };
                due.push((used.reported_ms, latest));
            }
        }
        due.sort_by_key(|(reported_ms, _)| *reported_ms);
        due.into_iter().take(limit).map(|(_, latest)| latest).collect()
    }

    /// Marks these uses as reported.
    pub fn reported(&self, uses: &[CredentialUse]) {
        let mut used = self.lock();
        for reported in uses {
            if let Entry::Occupied(mut known) = used.entry((reported.user.clone(), reported.hash)) {
                known.get_mut().reported_ms = reported.last_ms;
                if known.get().open_connections == 0 && known.get().last_ms <= reported.last_ms {
                    known.remove();
                }
            }
        }
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, HashMap<Key, Used>> {
        self.used.lock()
    }
}

impl Drop for UseGuard {
    fn drop(&mut self) {
        let now_ms = self.uses.cache.clock.now_ms();
        if let Some(used) = self.uses.lock().get_mut(&self.key) {
            used.open_connections -= 1;
            // Later than every report so far, so that an entry without connections is reported once more and then
            // removed.
            used.last_ms = now_ms.max(used.reported_ms + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use penstock_metadata_client::proto::ScramMechanism;

    use super::*;
    use crate::users::testing::{credential, users};

    const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn alice() -> Arc<Credential> {
        let users = users(vec![credential("alice", "secret", ScramMechanism::Sha256)]);
        Arc::clone(users.credential("alice", ScramHash::Sha256).unwrap())
    }

    fn uses() -> Arc<CredentialUses> {
        let (cache, _interest) = ClusterCache::new();
        CredentialUses::new(cache)
    }

    #[test]
    fn a_use_is_reported_until_the_service_has_it() {
        let uses = uses();
        let connection = uses.begin(&alice(), HOST);
        let due = uses.unreported(10);
        assert_eq!(due.len(), 1);
        assert_eq!((due[0].user.as_str(), due[0].host), ("alice", HOST));
        assert_eq!(uses.unreported(10), due);
        uses.reported(&due);
        assert!(uses.unreported(10).is_empty());
        drop(connection);
        let end = uses.unreported(10);
        assert!(end[0].last_ms > due[0].last_ms);
    }

    #[test]
    fn an_unused_credential_is_removed_after_its_last_report() {
        let uses = uses();
        drop((uses.begin(&alice(), HOST), uses.begin(&alice(), HOST)));
        let due = uses.unreported(10);
        uses.reported(&due);
        assert!(uses.lock().is_empty());
    }

    #[test]
    fn an_open_connections_credential_is_reported_each_minute() {
        let uses = uses();
        let _connection = uses.begin(&alice(), HOST);
        uses.reported(&uses.unreported(10));
        assert!(uses.unreported(10).is_empty());
        // As if the last report were a minute old.
        for used in uses.lock().values_mut() {
            used.reported_ms -= REPORT_INTERVAL_MS;
            used.last_ms -= REPORT_INTERVAL_MS;
        }
        assert_eq!(uses.unreported(10).len(), 1);
    }
}
