//! Starts, runs and stops the agent.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use penstock_access::{Authorizer, Throttle};
use penstock_authn::{Authority, AuthoritySettings, BearerVerifier, NoRandomness, TokenRules};
use penstock_handlers::{AdvertisedListener, Context, Node, RecordChecks};
use penstock_metadata_client::cache::{ClusterCache, Mode};
use penstock_metadata_client::{
    ConnectClient, Credentials, EndpointError, Exchange, Metadata, RpcError, Watcher, parse_metadata_urls, proto,
};
use penstock_metrics::Metrics;
use penstock_peers::{BlockCheck, HedgeDelays, Membership, PeerListener, SetUpError, Zone};
use penstock_read_path::{ReadPath, check_block};
use penstock_runtime::{TaskSet, spawn, time_ordered_uuid};
use penstock_store::{BlockCache, Bucket, BucketError, LandingBucket, Objects, SelfTestError, self_test};
use penstock_traces::{KeyValue, Settings, SettingsError, Traces};
use penstock_write_path::{WritePath, WriteSettings};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::timeout;
use url::Url;

use crate::background::merging::{JobCounters, Merging};
use crate::diagnosis::Diagnostics;
use crate::internal_url::{InternalUrlError, internal_url};
use crate::job_memory::default_job_memory_bytes;
use crate::jwks::{Keys, KeysError};
use crate::landing_option::{LandingError, open_landing};
use crate::listeners::{Bound, Listeners, ListenersError, host_to_advertise, listen};
use crate::message_browser::{BrowserUrlError, MessageBrowser, TokenVerifier, browser_url};
use crate::options::{AgentOptions, Role};
use crate::readiness::Readiness;
use crate::readings::Readings;
use crate::registration::register;
use crate::server::{Server, ServerLimits};
use crate::{background, diagnosis, http, process_metrics};

/// Bytes of memory for responses that are being sent to consumers.
const ANSWER_BYTES: usize = 128 << 20;
/// How long stored records may take to flush after the stop signal. With the timeouts below, the agent exits within 30
/// seconds.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(25);
const LANDING_TEST_TIMEOUT: Duration = Duration::from_secs(10);
const DRAIN_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a merge job may take to stop. Runs while connections drain.
const JOB_TIMEOUT: Duration = Duration::from_secs(2);
const DEREGISTER_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the last traces may take to send. Runs while connections drain.
const LAST_TRACES_TIMEOUT: Duration = Duration::from_secs(2);

/// Why the agent cannot start. Each message says what to do.
#[derive(Debug, Error)]
pub(crate) enum StartError {
    #[error(
        "--roles: an agent that serves producers must serve consumers, too, because Kafka clients cannot use one that serves only producers. An agent with a read-only key has the role consume alone"
    )]
    Roles,
    #[error("--bucket: {0}")]
    Bucket(#[from] BucketError),
    #[error("--bucket: {0}")]
    SelfTest(#[from] SelfTestError),
    #[error("--landing-bucket: {0}")]
    Landing(#[from] LandingError),
    #[error("--metadata-url: {0}")]
    Endpoint(#[from] EndpointError),
    #[error(transparent)]
    Listeners(#[from] ListenersError),
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    #[error("--oauth-jwks: {0}")]
    Keys(#[from] KeysError),
    #[error("--oauth-jwks: {0}")]
    KeyClient(#[from] reqwest::Error),
    #[error("--traces: {0}")]
    Traces(#[from] SettingsError),
    #[error("--message-browser-url: {0}")]
    MessageBrowser(#[from] BrowserUrlError),
    #[error("--internal-url: {0}")]
    InternalUrl(#[from] InternalUrlError),
    #[error(transparent)]
    Peers(#[from] SetUpError),
    #[error("{}. {}", .0.to_string().trim_end_matches('.'), remedy(.0))]
    Refused(#[from] RpcError),
    #[error("cannot wait for signals: {0}")]
    Signals(std::io::Error),
}

fn remedy(error: &RpcError) -> &'static str {
    match error {
        RpcError::Unauthenticated(_) => "Create a new agent key on the cluster's page and set PENSTOCK_AGENT_KEY",
        RpcError::PermissionDenied(_) => "Use the cluster id and the key from the same cluster's page",
        RpcError::NotFound(_) => "Check --cluster against the cluster's page",
        // The service's own message says what to do.
        _ => "The agent has not started",
    }
}

/// Runs the agent until SIGTERM or SIGINT.
///
/// # Errors
/// The agent cannot start.
#[expect(clippy::disallowed_methods, reason = "the place that waits for signals")]
pub(crate) async fn run(options: AgentOptions) -> Result<(), StartError> {
    process_metrics::raise_open_file_limit();
    let mut terminate = signal(SignalKind::terminate()).map_err(StartError::Signals)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(StartError::Signals)?;
    let stopped = async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    tokio::pin!(stopped);
    let agent = tokio::select! {
        agent = Agent::start(&options) => agent?,
        () = &mut stopped => return Ok(()),
    };
    stopped.await;
    agent.stop().await;
    Ok(())
}

/// The surroundings of an agent: the services that it uses and the sockets that it serves.
pub(crate) struct Surroundings {
    pub(crate) metadata: Arc<dyn Metadata>,
    /// The first of the metadata service's addresses.
    pub(crate) service: Option<Url>,
    pub(crate) bucket: Bucket,
    pub(crate) landing: Vec<LandingBucket>,
    pub(crate) listeners: Listeners,
    pub(crate) http: Option<TcpListener>,
    pub(crate) records: Option<TcpListener>,
    pub(crate) internal: Option<TcpListener>,
    /// Replaces connections between agents.
    pub(crate) peers: Option<PeerNetwork>,
}

/// A network of a zone without sockets.
pub(crate) struct PeerNetwork {
    pub(crate) exchange: Arc<dyn Exchange>,
    /// The address of this agent.
    pub(crate) url: String,
}

impl Surroundings {
    /// Connects to the services that the options name, tests the buckets and opens the sockets.
    async fn open(options: &AgentOptions) -> Result<Self, StartError> {
        let urls = parse_metadata_urls(&options.metadata_url)?;
        let service = urls.first().cloned();
        let metadata = Arc::new(ConnectClient::new(urls, &credentials(options))?);
        let bucket = Bucket::open(&options.bucket)?;
        let landing = open_landing(&options.landing_bucket, &options.bucket)?;
        let (tested, ()) = tokio::join!(self_test(&bucket), test_landing(&landing));
        tested?;
        let serves_clients = options.has_role(Role::Consume);
        let listeners = match serves_clients {
            true => Listeners::open(options).await?,
            false => Listeners::default(),
        };
        let http = Some(listen("--http-listen", options.http_listen).await?);
        let records = match options.message_browser {
            true => Some(listen("--message-browser-listen", options.message_browser_listen).await?),
            false => None,
        };
        // An agent without a zone has no peers, and one without consumers never reads from them.
        let internal = match serves_clients && !options.zone.is_empty() {
            true => Some(listen("--internal-listen", options.internal_listen).await?),
            false => None,
        };
        Ok(Self {
            metadata,
            service,
            bucket,
            landing,
            listeners,
            http,
            records,
            internal,
            peers: None,
        })
    }
}

pub(crate) fn credentials(options: &AgentOptions) -> Credentials {
    Credentials {
        agent_key: options.agent_key.clone(),
        cluster_id: options.cluster.clone(),
    }
}

pub(crate) struct Agent {
    #[cfg(feature = "simulation")]
    pub(crate) server: Server,
    #[cfg(feature = "simulation")]
    pub(crate) peer_listener: Arc<PeerListener>,
    context: Arc<Context>,
    readiness: Arc<Readiness>,
    stop: watch::Sender<bool>,
    serving: tokio::task::JoinHandle<()>,
    merging: tokio::task::JoinHandle<()>,
    /// Background tasks, aborted when this is dropped.
    background: TaskSet,
}

impl Agent {
    async fn start(options: &AgentOptions) -> Result<Self, StartError> {
        let is_read_only = is_read_only(options).ok_or(StartError::Roles)?;
        let surroundings = Surroundings::open(options).await?;
        Self::start_in(options, surroundings, is_read_only).await
    }

    pub(crate) async fn start_in(
        options: &AgentOptions,
        surroundings: Surroundings,
        is_read_only: bool,
    ) -> Result<Self, StartError> {
        let Surroundings {
            metadata,
            service,
            bucket,
            landing,
            listeners,
            http,
            records,
            internal,
            peers,
        } = surroundings;
        let agent_id = time_ordered_uuid().to_string();
        let traces = start_traces(options, &agent_id)?;
        let kafka_addresses = listeners.addresses();
        let http_address = http
            .as_ref()
            .and_then(|http| http.local_addr().ok())
            .unwrap_or(options.http_listen);
        let (cache, interest) = ClusterCache::new();
        let readiness = Readiness::new(Arc::clone(&cache));
        let metrics = Arc::new(Metrics::default());
        let objects = Objects::new(&bucket, &options.cluster);
        let objects = Arc::new(objects.with_landing(&landing, &options.zone, &options.cluster));
        let membership = Membership {
            cluster_id: options.cluster.clone(),
            zone: options.zone.clone(),
            agent_id: agent_id.clone(),
        };
        let exchange = peers.as_ref().map(|peers| Arc::clone(&peers.exchange));
        let check: BlockCheck = |range, bytes| check_block(range, bytes).map_err(|damage| damage.to_string());
        let zone = Zone::over(exchange, membership, Arc::clone(&cache), HedgeDelays::default(), check)?;
        let blocks = BlockCache::in_zone(
            Arc::clone(&objects),
            usize::try_from(options.cache_bytes).unwrap_or(usize::MAX),
            Arc::clone(&zone) as _,
        );
        let open_connections = Arc::new(AtomicUsize::new(0));
        let jobs = Arc::new(JobCounters::default());
        let readings = Readings {
            objects: Arc::clone(&objects),
            blocks: Arc::clone(&blocks),
            open_connections: Arc::clone(&open_connections),
            traces: traces.clone(),
            jobs: Arc::clone(&jobs),
            zone: Arc::clone(&zone),
        };
        let mut background = TaskSet::default();
        if let Some(http) = http {
            background.spawn(http::serve(
                http,
                Arc::new(registry(&metrics, readings)),
                Arc::clone(&readiness),
                options.metrics_token.clone(),
            ));
        }
        let mut registration = registration_request(options, &bucket, &listeners, agent_id.clone());
        if let Some(records) = &records {
            let address = records.local_addr().unwrap_or(options.message_browser_listen);
            let configured = options.message_browser_url.as_deref();
            registration.message_browser_url = browser_url(configured, &registration.advertised_host, address)?;
        }
        if let Some(internal) = &internal {
            let address = internal.local_addr().unwrap_or(options.internal_listen);
            registration.internal_url =
                internal_url(options.internal_url.as_deref(), address, service.as_ref()).await?;
            registration.internal_key_sha256 = zone.key_sha256();
        }
        if let Some(peers) = peers {
            registration.internal_url = peers.url;
            // Any key will do without TLS. The zone's own comes from the system's randomness.
            registration.internal_key_sha256 = Bytes::from_static(&[0; 32]);
        }
        registration.landing = Some(proto::LandingBuckets {
            zones: objects.landing_zones().into_iter().map(str::to_owned).collect(),
        });
        let registered = register(&metadata, &registration, &readiness).await?;
        zone.set_node_id(registered.node_id);
        zone.set_secrets(&registered.peer_secrets);
        let tokens = Arc::new(TokenVerifier::new(registered.cluster_id.clone(), agent_id.clone()));
        tokens.set_keys(&registered.message_browser_keys);
        readiness.set_registered();
        cache.clock.note(registered.server_time_ms);
        cache.clock.set_writer(registered.node_id);
        if let Some(settings) = registered.settings.clone() {
            cache.set_settings(settings);
        }
        if cache.mode() == Mode::LowLatency && !objects.has_landing() {
            tracing::warn!(
                "the cluster is in low-latency mode, but this agent has no landing buckets: it writes with the latency of the standard bucket, and cannot read what other agents have landed until it is merged. Set --landing-bucket for each zone"
            );
        }
        let browser_address = registration.message_browser_url.clone();
        let write_path = WritePath::new(
            Arc::clone(&metadata),
            Arc::clone(&cache),
            (Arc::clone(&objects), Arc::clone(&blocks)),
            Arc::clone(&metrics),
            agent_id.clone(),
            WriteSettings {
                standard: options.standard_lane(),
                landing: options.landing_lane(),
                flush_bytes: usize::try_from(options.flush_bytes).unwrap_or(usize::MAX),
                saved_put_hours: options.saved_put_hours,
                ..WriteSettings::default()
            },
        );
        let context = Arc::new(Context {
            authorizer: Authorizer::of_agent(Arc::clone(&cache), Arc::clone(&metrics), is_read_only),
            throttle: Throttle::new(&cache, &metrics),
            metadata: Arc::clone(&metadata),
            cache: Arc::clone(&cache),
            node: node(options, &registration, &registered, listeners.advertised),
            record_checks: RecordChecks::new(u64::from(options.max_in_flight_bytes) / 4),
            write_path,
            read_path: ReadPath::new(Arc::clone(&objects), Arc::clone(&blocks), ANSWER_BYTES),
            metrics: Arc::clone(&metrics),
            traces,
            client_metrics: Default::default(),
            rotation: AtomicUsize::new(0),
        });
        let authority = Authority::new(
            Arc::clone(&cache),
            authority_settings(options),
            start_tokens(options, &mut background).await?,
            options.agent_key.as_bytes(),
        )?;
        authority.sign_nonces(&registration.agent_id, &registered.peer_secrets);
        background.spawn(Arc::clone(&authority).follow());
        let server = Server::new(
            Arc::clone(&context),
            Arc::clone(&authority),
            server_limits(options),
            Arc::clone(&open_connections),
        );
        background.spawn(Watcher::new(Arc::clone(&metadata), Arc::clone(&cache), interest, agent_id).run());
        let sources = background::heartbeat::Sources {
            metrics: Arc::clone(&metrics),
            objects: Arc::clone(&objects),
            open_connections: Arc::clone(&open_connections),
        };
        let diagnosis = Arc::new(Diagnostics::new(Arc::clone(&metrics), Arc::clone(&objects)));
        background.spawn(diagnosis::run(
            Arc::clone(&diagnosis),
            bucket.clone(),
            options.cluster.clone(),
            registration.agent_id.clone(),
        ));
        let telemetry = background::telemetry::Sources {
            metrics: Arc::clone(&metrics),
            objects: Arc::clone(&objects),
            blocks: Arc::clone(&blocks),
            open_connections: Arc::clone(&open_connections),
            server: server.clone(),
            write_path: Arc::clone(&context.write_path),
            jobs: Arc::clone(&jobs),
            store: background::telemetry::store_kind(&bucket.url),
            diagnosis,
            authority: Arc::clone(&authority),
        };
        background.spawn(background::telemetry::run(Arc::clone(&context), telemetry));
        background.spawn(background::heartbeat::run(
            Arc::clone(&context),
            registration,
            registered.heartbeat_interval_ms,
            sources,
            Arc::clone(&readiness),
            background::heartbeat::SecretHolders {
                tokens: Arc::clone(&tokens),
                zone: Arc::clone(&zone),
                authority: Arc::clone(&authority),
            },
        ));
        if !is_read_only {
            background.spawn(background::deletions::run(Arc::clone(&context), Arc::clone(&objects)));
            let buckets = landing
                .into_iter()
                .map(|landing| landing.bucket)
                .chain([bucket.clone()])
                .collect();
            background.spawn(background::orphans::run(
                Arc::clone(&context),
                Arc::clone(&objects),
                buckets,
            ));
        }
        // Clients must not get errors about missing topics only because the catalogue has not arrived yet.
        cache.wait_until_watching().await;
        authority.refresh();

        let peer_listener = PeerListener::new(zone, blocks);
        if let Some(internal) = internal {
            background.spawn(Arc::clone(&peer_listener).run(internal));
        }
        if let Some(records) = records {
            tracing::info!(url = browser_address, "message browser enabled");
            background.spawn(MessageBrowser::new(Arc::clone(&context), tokens).run(records));
        }
        let (stop, stopping) = watch::channel(false);
        let merging = Merging::new(
            Arc::clone(&context),
            objects,
            jobs,
            options.job_memory_bytes.unwrap_or_else(default_job_memory_bytes),
            stopping.clone(),
        );
        let merging = match options.has_role(Role::Jobs) {
            true => spawn(merging.run()),
            false => spawn(std::future::ready(())),
        };
        let identities = listeners.bound.iter().filter_map(|bound| bound.listener.tls.clone());
        for identity in identities {
            background.spawn(identity.follow());
        }
        let serving = spawn({
            let server = server.clone();
            async move {
                let serving = listeners
                    .bound
                    .into_iter()
                    .map(|Bound { listener, socket }| server.serve(listener, socket, stopping.clone()));
                join_all(serving).await;
            }
        });
        tracing::info!(
            node_id = registered.node_id,
            bucket = bucket.url,
            version = env!("CARGO_PKG_VERSION"),
            "listening kafka={kafka_addresses} http={http_address}"
        );
        Ok(Self {
            #[cfg(feature = "simulation")]
            server,
            #[cfg(feature = "simulation")]
            peer_listener,
            context,
            readiness,
            stop,
            serving,
            merging,
            background,
        })
    }

    /// Turns true when the agent stops.
    #[cfg(feature = "simulation")]
    pub(crate) fn stopping(&self) -> watch::Receiver<bool> {
        self.stop.subscribe()
    }

    /// Stops accepting connections, stores and acknowledges accepted records, then deregisters from the metadata
    /// service.
    pub(crate) async fn stop(self) {
        tracing::info!("shutting down; draining requests");
        self.readiness.set_stopping();
        self.stop.send_replace(true);
        if timeout(FLUSH_TIMEOUT, self.context.write_path.flush()).await.is_err() {
            tracing::error!(
                "shutdown timed out before all accepted records were stored; the unstored ones were not acknowledged"
            );
        }
        if timeout(DRAIN_TIMEOUT, self.serving).await.is_err() {
            tracing::warn!("shutdown timed out before some clients read their responses");
        }
        if timeout(JOB_TIMEOUT, self.merging).await.is_err() {
            tracing::warn!("merge job did not stop in time; its file will be deleted as an orphan");
        }
        let request = proto::DeregisterAgentRequest {
            agent_id: self.context.node.agent_id.clone(),
        };
        let (deregistered, ()) = tokio::join!(
            self.context.metadata.deregister_agent(request, DEREGISTER_TIMEOUT),
            self.context.traces.stop(LAST_TRACES_TIMEOUT),
        );
        if let Err(error) = deregistered {
            tracing::warn!(%error, "cannot deregister from the metadata service; it will notice the missing heartbeats");
        }
        drop(self.background);
        tracing::info!("stopped");
    }
}

/// Returns true for an agent that serves only consumers. `None`: no agent may have these roles.
pub(crate) fn is_read_only(options: &AgentOptions) -> Option<bool> {
    let serves_clients = options.has_role(Role::Consume);
    // Merging requires a key that can do more than serve consumers.
    let is_read_only = serves_clients && !options.has_role(Role::Produce);
    if options.has_role(Role::Produce) && !serves_clients || is_read_only && options.has_role(Role::Jobs) {
        return None;
    }
    Some(is_read_only)
}

/// Starts tracing as configured by the options and OpenTelemetry's environment variables.
fn start_traces(options: &AgentOptions, agent_id: &str) -> Result<Traces, SettingsError> {
    if !options.traces {
        return Ok(Traces::off());
    }
    let mut facts = vec![
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", agent_id.to_owned()),
        KeyValue::new("penstock.cluster.id", options.cluster.clone()),
    ];
    if !options.zone.is_empty() {
        facts.push(KeyValue::new("cloud.availability_zone", options.zone.clone()));
    }
    let settings = Settings::from_environment(facts)?;
    tracing::info!(collector = settings.endpoint(), "traces enabled");
    Traces::start(settings)
}

fn registration_request(
    options: &AgentOptions,
    bucket: &Bucket,
    listeners: &Listeners,
    agent_id: String,
) -> proto::RegisterAgentRequest {
    let main = listeners.advertised.first();
    let configured = options.advertised_host.clone().filter(|host| !host.is_empty());
    let host = || configured.unwrap_or_else(|| host_to_advertise(options.listen));
    proto::RegisterAgentRequest {
        agent_id,
        zone: options.zone.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        advertised_host: main.map_or_else(host, |main| main.host.clone()),
        advertised_port: main.map_or(0, |main| main.port.into()),
        bucket: bucket.url.clone(),
        message_browser_url: String::new(),
        internal_url: String::new(),
        internal_key_sha256: Default::default(),
        listeners: listeners.to_register(),
        landing: None,
        roles: options.roles.iter().map(|role| role.name().to_owned()).collect(),
    }
}

fn node(
    options: &AgentOptions,
    registration: &proto::RegisterAgentRequest,
    registered: &proto::RegisterAgentResponse,
    listeners: Vec<AdvertisedListener>,
) -> Node {
    Node {
        node_id: registered.node_id,
        cluster_id: registered.cluster_id.clone(),
        agent_id: registration.agent_id.clone(),
        zone: options.zone.clone(),
        listeners,
    }
}

/// Logs the landing buckets that don't work. The agent starts anyway: two working buckets are enough, and with fewer it
/// uses the standard bucket.
async fn test_landing(landing: &[LandingBucket]) {
    let tests = landing.iter().map(|LandingBucket { zone, bucket }| async move {
        match timeout(LANDING_TEST_TIMEOUT, self_test(bucket)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(zone, "--landing-bucket: {error}"),
            Err(_) => tracing::error!(zone, url = bucket.url, "--landing-bucket: no answer in time"),
        }
    });
    join_all(tests).await;
}

/// Returns the token verifier and refreshes its keys in the background. The agent starts even if the identity provider
/// is unreachable, so that clients can sign in by other methods. It fails if a key file cannot be read, since that is a
/// configuration error.
async fn start_tokens(
    options: &AgentOptions,
    background: &mut TaskSet,
) -> Result<Option<Arc<BearerVerifier>>, StartError> {
    let (Some(source), Some(issuer), Some(audience)) =
        (&options.oauth_jwks, &options.oauth_issuer, &options.oauth_audience)
    else {
        return Ok(None);
    };
    let rules = TokenRules {
        issuer: issuer.clone(),
        audience: audience.clone(),
        clock_skew: Duration::from_millis(options.oauth_clock_skew_ms),
        max_lifetime: Duration::from_millis(options.oauth_max_token_lifetime_ms),
        principal_claim: options.oauth_principal_claim.clone(),
    };
    let keys = Keys::new(source.clone())?;
    let loaded = match keys.load().await {
        Err(error @ KeysError::Fetch { .. }) => {
            tracing::error!(%error, "no client can sign in with a token yet");
            None
        }
        loaded => Some(loaded?),
    };
    let is_loaded = loaded.is_some();
    let verifier = BearerVerifier::new(rules, loaded.unwrap_or_default());
    background.spawn(keys.follow(Arc::clone(&verifier), is_loaded));
    Ok(Some(verifier))
}

fn authority_settings(options: &AgentOptions) -> AuthoritySettings {
    let max_session = Some(options.max_session_ms).filter(|session_ms| *session_ms > 0);
    AuthoritySettings {
        requirement: options.require_authentication.into(),
        max_users_age: Duration::from_millis(options.max_users_age_ms),
        max_session: max_session.map(Duration::from_millis),
    }
}

fn server_limits(options: &AgentOptions) -> ServerLimits {
    ServerLimits {
        max_connections: options.max_connections,
        max_frame_bytes: options.max_frame_bytes,
        max_in_flight_bytes: options.max_in_flight_bytes,
        ..ServerLimits::default()
    }
}

fn registry(metrics: &Metrics, readings: Readings) -> Registry {
    let mut registry = Registry::with_prefix("penstock_agent");
    metrics.register(&mut registry);
    registry.register_collector(Box::new(readings));
    let labels = vec![("version", env!("CARGO_PKG_VERSION"))];
    registry.register("build", "The running version", Info::new(labels));
    registry
}
