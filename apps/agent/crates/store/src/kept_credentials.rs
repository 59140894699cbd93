//! Keeps using credentials while their source fails.
//!
//! The client library requests new credentials five minutes before the old ones expire, and fails every request if the
//! source has none. Cloud credential sources are sometimes unavailable, so the current credentials are used for as long
//! as object storage accepts them.

use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use futures_util::poll;
use object_store::CredentialProvider;
use parking_lot::{Mutex, MutexGuard};
use penstock_runtime::spawn;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};

use crate::error::with_causes;

/// How long a request with usable credentials waits for new ones.
const REFRESH_WAIT: Duration = Duration::from_secs(2);
/// Pause before a failed source is asked again.
const REST: Duration = Duration::from_secs(5);

/// A credential source and its latest credentials.
#[derive(Debug)]
pub(crate) struct KeptCredentials<C> {
    source: Arc<dyn CredentialProvider<Credential = C>>,
    shared: Arc<Shared<C>>,
}

#[derive(Debug)]
struct Shared<C> {
    state: Mutex<State<C>>,
    /// Wakes waiting requests when the source responds.
    answered: Notify,
}

#[derive(Debug)]
struct State<C> {
    last: Option<Arc<C>>,
    /// When the current background request to the source began.
    asking_since: Option<Instant>,
    /// After a failure, when the source may be asked again.
    rests_until: Option<Instant>,
}

impl<C> Shared<C> {
    fn lock(&self) -> MutexGuard<'_, State<C>> {
        self.state.lock()
    }

    /// Stores the source's response, or starts a pause after a failure.
    fn settle(&self, result: object_store::Result<Arc<C>>) {
        match result {
            Ok(credential) => {
                let mut state = self.lock();
                state.last = Some(credential);
                state.rests_until = None;
            }
            Err(error) => {
                let reason = with_causes(&error);
                tracing::warn!(
                    reason,
                    "cannot renew the object storage credentials; using the current ones until they expire"
                );
                self.lock().rests_until = Some(Instant::now() + REST);
            }
        }
    }
}

/// Marks the source as being asked until dropped.
struct Asking<C>(Arc<Shared<C>>);

impl<C> Drop for Asking<C> {
    fn drop(&mut self) {
        self.0.lock().asking_since = None;
        self.0.answered.notify_waiters();
    }
}

impl<C: Debug + Send + Sync + 'static> KeptCredentials<C> {
    pub(crate) fn new(source: Arc<dyn CredentialProvider<Credential = C>>) -> Self {
        let state = State {
            last: None,
            asking_since: None,
            rests_until: None,
        };
        Self {
            source,
            shared: Arc::new(Shared {
                state: Mutex::new(state),
                answered: Notify::new(),
            }),
        }
    }

    /// Waits briefly for the source, then returns the current credentials.
    async fn wait(&self, since: Instant, answered: impl Future<Output = ()>, last: Arc<C>) -> Arc<C> {
        let _ = timeout_at(since + REFRESH_WAIT, answered).await;
        self.shared.lock().last.clone().unwrap_or(last)
    }
}

#[async_trait::async_trait]
impl<C: Debug + Send + Sync + 'static> CredentialProvider for KeptCredentials<C> {
    type Credential = C;

    async fn get_credential(&self) -> object_store::Result<Arc<C>> {
        let answered = self.shared.answered.notified();
        let (last, asking_since, rests_until) = {
            let state = self.shared.lock();
            (state.last.clone(), state.asking_since, state.rests_until)
        };
        let Some(last) = last else {
            let first = self.source.get_credential().await?;
            self.shared.lock().last = Some(Arc::clone(&first));
            return Ok(first);
        };
        if let Some(since) = asking_since {
            return Ok(self.wait(since, answered, last).await);
        }
        if rests_until.is_some_and(|until| Instant::now() < until) {
            return Ok(last);
        }
        let source = Arc::clone(&self.source);
        let mut asking = Box::pin(async move { source.get_credential().await });
        // Usually completes immediately, because the source's own cache has credentials that are valid for minutes.
        if let std::task::Poll::Ready(result) = poll!(&mut asking) {
            let credential = result.as_ref().ok().cloned();
            self.shared.settle(result);
            return Ok(credential.unwrap_or(last));
        }
        let since = Instant::now();
        self.shared.lock().asking_since = Some(since);
        let guard = Asking(Arc::clone(&self.shared));
        spawn(async move {
            let result = asking.await;
            guard.0.settle(result);
            drop(guard);
        });
        Ok(self.wait(since, answered, last).await)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// The source's next response.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Mode {
        Works,
        Fails,
        Hangs,
    }

    #[derive(Debug)]
    struct Source {
        mode: Mutex<Mode>,
        asked: AtomicUsize,
    }

    impl Source {
        fn set(&self, mode: Mode) {
            *self.mode.lock() = mode;
        }
    }

    #[async_trait::async_trait]
    impl CredentialProvider for Source {
        type Credential = usize;

        async fn get_credential(&self) -> object_store::Result<Arc<usize>> {
            let asked = self.asked.fetch_add(1, Ordering::Relaxed);
            let mode = *self.mode.lock();
            match mode {
                Mode::Works => Ok(Arc::new(asked)),
                Mode::Fails => Err(object_store::Error::Generic {
                    store: "S3",
                    source: "503".into(),
                }),
                Mode::Hangs => {
                    tokio::time::sleep(Duration::from_secs(60)).await;
                    Ok(Arc::new(asked))
                }
            }
        }
    }

    fn kept(mode: Mode) -> (Arc<Source>, KeptCredentials<usize>) {
        let source = Arc::new(Source {
            mode: Mutex::new(mode),
            asked: AtomicUsize::new(0),
        });
        (Arc::clone(&source), KeptCredentials::new(source))
    }

    #[tokio::test(start_paused = true)]
    async fn current_credentials_outlive_a_failing_source() {
        let (source, kept) = kept(Mode::Works);
        assert_eq!(*kept.get_credential().await.unwrap(), 0);
        source.set(Mode::Fails);
        let before = Instant::now();
        for _ in 0..100 {
            assert_eq!(*kept.get_credential().await.unwrap(), 0);
        }
        assert_eq!(Instant::now(), before, "nobody waits");
        assert_eq!(source.asked.load(Ordering::Relaxed), 2, "the source rests");
        source.set(Mode::Works);
        tokio::time::advance(REST).await;
        assert_eq!(*kept.get_credential().await.unwrap(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_hanging_source_delays_requests_only_briefly() {
        let (source, kept) = kept(Mode::Works);
        kept.get_credential().await.unwrap();
        source.set(Mode::Hangs);
        let before = Instant::now();
        let both = tokio::join!(kept.get_credential(), kept.get_credential());
        assert_eq!((*both.0.unwrap(), *both.1.unwrap()), (0, 0));
        assert_eq!(Instant::now() - before, REFRESH_WAIT);
        assert_eq!(*kept.get_credential().await.unwrap(), 0);
        assert_eq!(Instant::now() - before, REFRESH_WAIT, "they waited once");
        tokio::time::sleep(Duration::from_secs(60)).await;
        assert_eq!(*kept.get_credential().await.unwrap(), 1, "what it answered in the end");
        assert_eq!(source.asked.load(Ordering::Relaxed), 3);
    }

    #[tokio::test]
    async fn without_credentials_the_failure_is_returned() {
        let (_, kept) = kept(Mode::Fails);
        assert!(kept.get_credential().await.is_err());
    }
}
