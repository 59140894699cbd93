//! The agent's self-diagnosis: checks its bucket regularly, and reports the outcome and the latest failures.
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use penstock_metadata_client::proto;
use penstock_metrics::Metrics;
use penstock_runtime::Instant;
use penstock_store::{Bucket, Check, Diagnosis, HarmfulRule, Lifecycle, Objects, RuleAction, diagnose};
use penstock_telemetry::{ErrorKind, Failure, LastError};
use tokio::time::MissedTickBehavior;

/// Pause between checks while all is well. A check makes a few requests for a tiny object, which costs less than a cent
/// a month.
const PAUSE: Duration = Duration::from_secs(300);
/// Pause while an operation is refused, so that a fix shows quickly: at every second step, which is every ten seconds.
/// It is shorter than two steps, because a check ends after the step that began it.
const PAUSE_IN_TROUBLE: Duration = Duration::from_secs(8);
/// How often the agent checks whether a bucket check is due. Also bounds the delay of a check after a refusal.
const STEP: Duration = Duration::from_secs(5);

/// The latest diagnosis, and the store of the latest failures.
#[derive(Debug)]
pub(crate) struct Diagnostics {
    metrics: Arc<Metrics>,
    objects: Arc<Objects>,
    newest: Mutex<Option<(Arc<Diagnosis>, Instant)>>,
}

/// Changes when there is something new to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revision {
    checked_at: Option<Instant>,
    store: u64,
    metadata: u64,
}

impl Diagnostics {
    pub(crate) fn new(metrics: Arc<Metrics>, objects: Arc<Objects>) -> Self {
        Self {
            metrics,
            objects,
            newest: Mutex::new(None),
        }
    }

    fn newest(&self) -> Option<(Arc<Diagnosis>, Instant)> {
        self.newest.lock().clone()
    }

    /// Checks the bucket now.
    pub(crate) async fn check(&self, bucket: &Bucket, cluster_id: &str, agent_id: &str) {
        let diagnosis = diagnose(bucket, cluster_id, agent_id).await;
        log(&diagnosis);
        self.publish(diagnosis, Instant::now());
    }

    fn publish(&self, diagnosis: Diagnosis, at: Instant) {
        *self.newest.lock() = Some((Arc::new(diagnosis), at));
    }

    /// The revision of the report that `message` would return now.
    pub(crate) fn revision(&self) -> Revision {
        Revision {
            checked_at: self.newest().map(|(_, at)| at),
            store: self.objects.counters.last_errors.revision(),
            metadata: self.metrics.counters.last_errors.revision(),
        }
    }

    /// Returns the report, or `None` before the first check.
    pub(crate) fn message(&self, now: Instant) -> Option<proto::AgentDiagnosis> {
        let (diagnosis, at) = self.newest()?;
        Some(proto::AgentDiagnosis {
            age_ms: age_ms(now, at),
            checks: diagnosis.checks.iter().map(check_message).collect(),
            store_clock_offset_ms: diagnosis.store_clock_offset_ms,
            lifecycle: Some(lifecycle_message(&diagnosis.lifecycle)),
            last_errors: self
                .last_errors()
                .iter()
                .map(|error| proto::LastError {
                    kind: i32::from(error.kind as u8),
                    failure: Some(failure_message(&error.failure)),
                    age_ms: age_ms(now, error.at),
                })
                .collect(),
        })
    }

    fn last_errors(&self) -> Vec<LastError> {
        let mut errors = self.objects.counters.last_errors.all();
        errors.extend(self.metrics.counters.last_errors.all());
        errors
    }

    /// Returns true if another check is due.
    fn is_due(&self, now: Instant) -> bool {
        let Some((diagnosis, at)) = self.newest() else {
            return true;
        };
        let was_refused_since = self
            .last_errors()
            .iter()
            .any(|error| error.kind == ErrorKind::Permission && error.at > at);
        let is_trouble = was_refused_since || !diagnosis.all_work();
        now.saturating_duration_since(at) >= if is_trouble { PAUSE_IN_TROUBLE } else { PAUSE }
    }
}

/// Checks the bucket until the task is dropped. `agent_id` is part of the name of the test object.
pub(crate) async fn run(diagnostics: Arc<Diagnostics>, bucket: Bucket, cluster_id: String, agent_id: String) {
    let mut steps = tokio::time::interval(STEP);
    steps.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        steps.tick().await;
        if diagnostics.is_due(Instant::now()) {
            diagnostics.check(&bucket, &cluster_id, &agent_id).await;
        }
    }
}

fn log(diagnosis: &Diagnosis) {
    for check in &diagnosis.checks {
        if let Some(failure) = &check.failure {
            tracing::warn!(
                operation = ?check.operation,
                class = failure.class,
                code = failure.code.as_str(),
                "the bucket refused an operation that the agent needs: {}",
                failure.message.as_str()
            );
        }
    }
    if let Lifecycle::Harmful(rule) = &diagnosis.lifecycle {
        tracing::warn!(
            rule = rule.rule_id.as_str(),
            prefix = rule.prefix.as_str(),
            "a lifecycle rule of the bucket applies to data files: records will be lost or become unreadable"
        );
    }
}

fn age_ms(now: Instant, at: Instant) -> u64 {
    u64::try_from(now.saturating_duration_since(at).as_millis()).unwrap_or(u64::MAX)
}

fn check_message(check: &Check) -> proto::BucketCheck {
    proto::BucketCheck {
        operation: i32::from(check.operation as u8),
        took_ms: u32::try_from(check.took.as_millis()).unwrap_or(u32::MAX),
        failure: check.failure.as_ref().map(failure_message),
    }
}

/// Maximum length of an error code. Other texts may be longer.
const MAX_CODE_CHARS: usize = 64;

fn failure_message(failure: &Failure) -> proto::Failure {
    proto::Failure {
        class: failure.class.to_owned(),
        code: failure.code.as_str().chars().take(MAX_CODE_CHARS).collect(),
        message: failure.message.as_str().to_owned(),
    }
}

fn lifecycle_message(lifecycle: &Lifecycle) -> proto::LifecycleCheck {
    use proto::{LifecycleAction, LifecycleOutcome};
    let with_failure = |outcome: LifecycleOutcome, failure: &Failure| proto::LifecycleCheck {
        outcome: outcome.into(),
        failure: Some(failure_message(failure)),
        ..Default::default()
    };
    let alone = |outcome: LifecycleOutcome| proto::LifecycleCheck {
        outcome: outcome.into(),
        ..Default::default()
    };
    match lifecycle {
        Lifecycle::NotChecked(reason) => proto::LifecycleCheck {
            reason: (*reason).to_owned(),
            ..alone(LifecycleOutcome::NotChecked)
        },
        Lifecycle::NoRules => alone(LifecycleOutcome::NoRules),
        Lifecycle::Harmless => alone(LifecycleOutcome::Harmless),
        Lifecycle::NotAllowed(failure) => with_failure(LifecycleOutcome::NotAllowed, failure),
        Lifecycle::Failed(failure) => with_failure(LifecycleOutcome::Failed, failure),
        Lifecycle::Harmful(HarmfulRule {
            rule_id,
            action,
            days,
            prefix,
            storage_class,
        }) => proto::LifecycleCheck {
            rule_id: rule_id.as_str().to_owned(),
            action: match action {
                RuleAction::Expires => LifecycleAction::Expires,
                RuleAction::Transitions => LifecycleAction::Transitions,
            }
            .into(),
            days: days.unwrap_or(0),
            prefix: prefix.as_str().to_owned(),
            storage_class: storage_class.as_str().to_owned(),
            ..alone(LifecycleOutcome::Harmful)
        },
    }
}

#[cfg(test)]
mod tests {
    use penstock_metadata_client::RpcError;
    use penstock_telemetry::CleanText;

    use super::*;

    async fn diagnostics() -> (Diagnostics, Bucket) {
        let bucket = Bucket::open("mem://").unwrap();
        let objects = Arc::new(Objects::new(&bucket, "cluster"));
        (Diagnostics::new(Arc::new(Metrics::default()), objects), bucket)
    }

    fn refusal() -> Failure {
        Failure {
            class: "access-denied",
            code: CleanText::clean("AccessDenied"),
            message: CleanText::clean("Access Denied"),
        }
    }

    #[tokio::test]
    async fn reports_nothing_before_the_first_check() {
        let (diagnostics, bucket) = diagnostics().await;
        let now = Instant::now();
        assert_eq!(diagnostics.message(now), None);
        diagnostics.publish(diagnose(&bucket, "cluster", "agent").await, now);
        let error = RpcError::Unavailable("nobody there".to_owned());
        diagnostics.metrics.metadata_failed(&error);
        let message = diagnostics.message(now + Duration::from_secs(2)).unwrap();
        assert!((2_000..3_000).contains(&message.age_ms), "{}", message.age_ms);
        assert_eq!(message.checks.len(), 4);
        assert!(message.checks.iter().all(|check| check.failure.is_none()));
        let last = &message.last_errors[0];
        assert_eq!(last.kind, i32::from(proto::ErrorKind::Metadata));
        assert_eq!(last.failure.as_ref().unwrap().class, "unavailable");
    }

    #[tokio::test]
    async fn checks_every_few_minutes_and_soon_after_a_refusal() {
        let (diagnostics, bucket) = diagnostics().await;
        let start = Instant::now();
        assert!(diagnostics.is_due(start));
        diagnostics.publish(diagnose(&bucket, "cluster", "agent").await, start);
        assert!(!diagnostics.is_due(start + PAUSE_IN_TROUBLE));
        assert!(diagnostics.is_due(start + PAUSE));
        diagnostics
            .objects
            .counters
            .last_errors
            .record(ErrorKind::Permission, refusal());
        // The check itself took two seconds.
        assert!(diagnostics.is_due(start + 2 * STEP - Duration::from_secs(2)));
        assert!(!diagnostics.is_due(start + Duration::from_secs(4)));
    }

    #[tokio::test]
    async fn a_revision_changes_with_each_check_and_new_failure_kind() {
        let (diagnostics, bucket) = diagnostics().await;
        let first = diagnostics.revision();
        diagnostics.publish(diagnose(&bucket, "cluster", "agent").await, Instant::now());
        let second = diagnostics.revision();
        assert_ne!(first, second);
        diagnostics
            .objects
            .counters
            .last_errors
            .record(ErrorKind::Permission, refusal());
        let third = diagnostics.revision();
        assert_ne!(second, third);
        diagnostics
            .objects
            .counters
            .last_errors
            .record(ErrorKind::Permission, refusal());
        assert_eq!(diagnostics.revision(), third);
    }

    #[test]
    fn reports_a_harmful_rule_with_the_details_to_find_it() {
        let message = lifecycle_message(&Lifecycle::Harmful(HarmfulRule {
            rule_id: CleanText::clean("tidy"),
            action: RuleAction::Transitions,
            days: Some(30),
            prefix: CleanText::clean("prod/"),
            storage_class: CleanText::clean("GLACIER"),
        }));
        assert_eq!(message.outcome(), proto::LifecycleOutcome::Harmful);
        assert_eq!(message.action(), proto::LifecycleAction::Transitions);
        assert_eq!(
            (
                message.rule_id.as_str(),
                message.days,
                message.prefix.as_str(),
                message.storage_class.as_str()
            ),
            ("tidy", 30, "prod/", "GLACIER")
        );
    }
}
