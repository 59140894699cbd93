//! Tracks whether the agent can serve clients, and if not, why.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use penstock_metadata_client::cache::ClusterCache;

/// The state reported by `/readyz`.
#[derive(Debug)]
pub(crate) struct Readiness {
    cache: Arc<ClusterCache>,
    registered: AtomicBool,
    stopping: AtomicBool,
    /// The reason for which the metadata service refuses this agent, if it does.
    refused: Mutex<Option<String>>,
}

impl Readiness {
    pub(crate) fn new(cache: Arc<ClusterCache>) -> Arc<Self> {
        Arc::new(Self {
            cache,
            registered: AtomicBool::new(false),
            stopping: AtomicBool::new(false),
            refused: Mutex::default(),
        })
    }

    pub(crate) fn set_registered(&self) {
        self.registered.store(true, Ordering::Release);
    }

    pub(crate) fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    pub(crate) fn set_refused(&self, why: Option<String>) {
        *self.refused.lock() = why;
    }

    /// Returns an error that says what is missing.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.stopping.load(Ordering::Acquire) {
            return Err("the agent is stopping".to_owned());
        }
        if let Some(why) = self.refused.lock().clone() {
            return Err(why);
        }
        if !self.registered.load(Ordering::Acquire) {
            return Err("not registered with the metadata service yet".to_owned());
        }
        if !self.cache.is_watching() {
            return Err("the watch stream of the metadata service is down; reads are served from the cache".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_is_not_ready_says_why() {
        let (cache, _interest) = ClusterCache::new();
        let readiness = Readiness::new(cache);
        assert!(readiness.check().unwrap_err().contains("not registered"));
        readiness.set_registered();
        assert!(readiness.check().unwrap_err().contains("watch stream"));
        readiness.set_refused(Some("the key was revoked".to_owned()));
        assert!(readiness.check().unwrap_err().contains("revoked"));
        readiness.set_stopping();
        assert!(readiness.check().unwrap_err().contains("stopping"));
    }
}
