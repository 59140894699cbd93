//! Keeps the agent registered and reports its counters.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use penstock_authn::Authority;
use penstock_handlers::Context;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_metrics::Metrics;
use penstock_peers::Zone;
use penstock_store::Objects;
use tokio::time::{Instant, MissedTickBehavior, interval_at};

use crate::message_browser::TokenVerifier;
use crate::process_metrics;
use crate::readiness::Readiness;
use crate::registration::register;

/// Heartbeat interval if the service does not name one.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(5);

/// Sources of the reported counters.
pub(crate) struct Sources {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) objects: Arc<Objects>,
    pub(crate) open_connections: Arc<AtomicUsize>,
}

impl Sources {
    fn stats(&self) -> proto::AgentStats {
        let (metrics, counters) = (&self.metrics, &self.objects.counters);
        proto::AgentStats {
            produced_bytes: metrics.produced_bytes.get(),
            produced_uncompressed_bytes: metrics.produced_uncompressed_bytes.get(),
            produced_records: metrics.produced_records.get(),
            fetched_bytes: metrics.fetched_bytes.get(),
            object_puts: counters.puts.load(Ordering::Relaxed),
            object_gets: counters.gets.load(Ordering::Relaxed),
            open_connections: u32::try_from(self.open_connections.load(Ordering::Relaxed)).unwrap_or(u32::MAX),
            cpu_ms: process_metrics::cpu_ms(),
            resident_bytes: process_metrics::resident_bytes(),
            requests: metrics.request_count(),
            request_errors: metrics.refused_requests.get() + metrics.produce_errors.get(),
            throttled_writes_ms: metrics.throttled_writes_ms(),
        }
    }
}

/// Components whose secrets each heartbeat response renews.
pub(crate) struct SecretHolders {
    pub(crate) tokens: Arc<TokenVerifier>,
    pub(crate) zone: Arc<Zone>,
    pub(crate) authority: Arc<Authority>,
}

/// Sends a heartbeat every interval. Registers again if the service does not know the agent.
pub(crate) async fn run(
    context: Arc<Context>,
    registration: proto::RegisterAgentRequest,
    heartbeat_interval_ms: u32,
    sources: Sources,
    readiness: Arc<Readiness>,
    holders: SecretHolders,
) {
    let period = match heartbeat_interval_ms {
        0 => DEFAULT_INTERVAL,
        interval_ms => Duration::from_millis(interval_ms.into()),
    };
    let mut ticks = interval_at(Instant::now() + period, period);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let heartbeat = proto::AgentHeartbeatRequest {
            agent_id: registration.agent_id.clone(),
            stats: Some(sources.stats()),
            message_browser_url: registration.message_browser_url.clone(),
            not_ready: context.write_path.refusal().unwrap_or_default(),
            internal_url: registration.internal_url.clone(),
            internal_key_sha256: registration.internal_key_sha256.clone(),
            listeners: registration.listeners.clone(),
            landing: registration.landing.clone(),
            roles: registration.roles.clone(),
        };
        let answer = context.metadata.agent_heartbeat(heartbeat, DEFAULT_TIMEOUT).await;
        let refused = match answer {
            Ok(answer) => {
                context.cache.clock.note(answer.server_time_ms);
                let SecretHolders {
                    tokens,
                    zone,
                    authority,
                } = &holders;
                tokens.set_keys(&answer.message_browser_keys);
                zone.set_secrets(&answer.peer_secrets);
                authority.sign_nonces(&registration.agent_id, &answer.peer_secrets);
                if let Some(settings) = answer.settings {
                    context.cache.set_settings(settings);
                }
                if answer.unknown_agent {
                    tracing::warn!("the metadata service no longer lists this agent; registering it again");
                    register(&context.metadata, &registration, &readiness).await.err()
                } else {
                    None
                }
            }
            Err(error) => {
                tracing::warn!(%error, "heartbeat failed");
                sources.metrics.metadata_failed(&error);
                Some(error).filter(is_for_people)
            }
        };
        readiness.set_refused(
            refused
                .map(|error| error.to_string())
                .or_else(|| context.write_path.refusal()),
        );
    }
}

/// Returns true if the error needs an operator's attention. Transient errors do not make the agent unready.
fn is_for_people(error: &RpcError) -> bool {
    !error.is_retriable() || matches!(error, RpcError::ClusterStopped(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_of_a_stopped_cluster_reports_why_and_keeps_retrying() {
        let stopped = RpcError::ClusterStopped("why".to_owned());
        assert!(is_for_people(&stopped));
        assert!(stopped.is_retriable());
        assert!(!is_for_people(&RpcError::Unavailable("a takeover".to_owned())));
    }
}
