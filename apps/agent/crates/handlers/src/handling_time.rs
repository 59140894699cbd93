//! Measures how long a request keeps threads busy, which is what the quota `request_percentage` limits. As in Kafka,
//! time spent waiting does not count.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as Task, Poll};
use std::time::Duration;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use penstock_access::Throttle;
use penstock_authz::Principal;
use penstock_runtime::Stopwatch;

use crate::context::Caller;

/// Measures the handling time of a request.
#[derive(Clone)]
pub(crate) struct HandlingTime(Option<Arc<Measured>>);

struct Measured {
    throttle: Arc<Throttle>,
    principal: Arc<Principal>,
    client_id: String,
    spent: Mutex<Spent>,
}

struct Spent {
    /// Time until the request last had to wait.
    before: Duration,
    /// When a thread resumed the request.
    since: Stopwatch,
}

impl HandlingTime {
    /// Starts measuring. Does nothing if no client's time is limited.
    pub(crate) fn begin(throttle: &Arc<Throttle>, caller: &Caller) -> Self {
        Self(throttle.limits_time().then(|| {
            Arc::new(Measured {
                throttle: Arc::clone(throttle),
                principal: Arc::clone(&caller.client.principal),
                client_id: caller.client_id.clone(),
                spent: Mutex::new(Spent {
                    before: Duration::ZERO,
                    since: Stopwatch::start(),
                }),
            })
        }))
    }

    /// Charges the time spent so far to the client's quota. Returns how long to throttle the client.
    pub(crate) fn take(&self) -> Duration {
        let Some(measured) = &self.0 else {
            return Duration::ZERO;
        };
        let spent = measured.spent.lock();
        let time = spent.before + spent.since.elapsed();
        drop(spent);
        measured
            .throttle
            .take_time(&measured.principal, &measured.client_id, time)
    }

    /// Adds time that another thread spent on the request.
    pub(crate) fn add(&self, time: Duration) {
        if let Some(measured) = &self.0 {
            measured.spent.lock().before += time;
        }
    }

    /// Measures the admission of a request and then the work on its response.
    #[expect(
        clippy::async_yields_async,
        reason = "a request is answered long after it is admitted"
    )]
    pub(crate) fn of_admission<Output: 'static>(
        self,
        admitting: BoxFuture<'static, BoxFuture<'static, Output>>,
    ) -> BoxFuture<'static, BoxFuture<'static, Output>> {
        let Some(measured) = self.0 else {
            return admitting;
        };
        measured.pause();
        Box::pin(async move {
            let answer = Working {
                measured: Arc::clone(&measured),
                answer: admitting,
            };
            let answer: BoxFuture<'static, Output> = Box::pin(Working {
                answer: answer.await,
                measured,
            });
            answer
        })
    }

    /// Measures the work on a response.
    pub(crate) fn of_answer<Output: 'static>(self, answer: BoxFuture<'static, Output>) -> BoxFuture<'static, Output> {
        let Some(measured) = self.0 else {
            return answer;
        };
        measured.pause();
        Box::pin(Working { measured, answer })
    }
}

impl Measured {
    fn pause(&self) {
        let mut spent = self.spent.lock();
        let since = spent.since;
        spent.before += since.elapsed();
    }

    fn resume(&self) {
        self.spent.lock().since = Stopwatch::start();
    }
}

struct Working<Output> {
    measured: Arc<Measured>,
    answer: BoxFuture<'static, Output>,
}

impl<Output> Future for Working<Output> {
    type Output = Output;

    fn poll(mut self: Pin<&mut Self>, task: &mut Task<'_>) -> Poll<Output> {
        self.measured.resume();
        let polled = self.answer.as_mut().poll(task);
        self.measured.pause();
        polled
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::cache::ClusterCache;
    use penstock_metadata_client::proto;

    use super::*;
    use crate::testing::caller;

    /// Keeps the thread busy for this time.
    fn work(time: Duration) {
        let began = Stopwatch::start();
        while began.elapsed() < time {
            std::hint::spin_loop();
        }
    }

    #[tokio::test]
    async fn counts_work_but_not_waiting() {
        let (cache, _) = ClusterCache::new();
        cache.set_security(proto::SecurityState {
            version: 1,
            quotas: vec![proto::ClientQuota {
                user: Some(String::new()),
                request_percentage: Some(100.0),
                ..Default::default()
            }],
            ..Default::default()
        });
        let throttle = Throttle::new(&cache, &Arc::default());
        let time = HandlingTime::begin(&throttle, &caller(0));
        let measured = time.0.clone().unwrap();
        let wait = Duration::from_secs(3);
        let answer = time.of_answer(Box::pin(async move {
            work(Duration::from_millis(5));
            tokio::time::pause();
            tokio::time::sleep(wait).await;
            tokio::time::resume();
            work(Duration::from_millis(5));
        }));
        answer.await;
        let spent = measured.spent.lock().before;
        assert!(spent >= Duration::from_millis(10) && spent < wait, "{spent:?}");
    }
}
