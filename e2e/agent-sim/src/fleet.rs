//! The agents: each on a machine of its own, started again when it has crashed or stopped.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use parking_lot::Mutex;
use penstock_agent::SimulatedAgent;
use penstock_metadata_client::{ConnectClient, Credentials, ResponseBody, parse_metadata_urls};
use penstock_runtime::simulation::Machine;
use penstock_store::Bucket;
use tokio::io::DuplexStream;
use tokio::time::{sleep, timeout};

use crate::bridge::Bridge;
use crate::busy::Busy;
use crate::clock::Clock;
use crate::exchange::Link;
use crate::passwords::MAX_USERS_AGE_MS;
use crate::store::Store;
use crate::trace::Trace;
use crate::weather::Weather;
use crate::zone::{Answers, ZoneNetwork};

const STOP_TIMEOUT: Duration = Duration::from_secs(40);
const PUT_TIMEOUT: Duration = Duration::from_secs(5);

/// Everything that all agents share.
#[derive(Clone)]
pub(crate) struct Site {
    pub(crate) clock: Clock,
    pub(crate) weather: Weather,
    pub(crate) trace: Trace,
    pub(crate) bridge: Bridge,
    pub(crate) store: Store,
    pub(crate) busy: Busy,
    pub(crate) cluster: String,
    pub(crate) agent_key: String,
    pub(crate) peer_answers: Arc<Answers>,
    /// The addresses of the metadata service's processes, separated by commas.
    pub(crate) metadata_urls: String,
    /// Agents have as little memory as they accept.
    pub(crate) is_tight: bool,
}

/// The agents. Clones are the same.
#[derive(Clone)]
pub(crate) struct Fleet(Arc<Vec<Place>>, Site);

struct Place {
    name: String,
    link: Link,
    /// The faults of its reads from other agents.
    zone: Weather,
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    machine: Option<Machine>,
    agent: Option<SimulatedAgent>,
    starts: u64,
}

impl Fleet {
    pub(crate) fn new(site: Site, agents: usize) -> Self {
        let places = (0..agents).map(|number| format!("agent-{number}")).map(|name| Place {
            link: Link::new(&name, site.bridge.clone(), &site.weather, &site.busy),
            zone: site.weather.stream(&format!("{name}.zone")),
            name,
            running: Mutex::default(),
        });
        Self(Arc::new(places.collect()), site)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Starts an agent, and tries again until it runs.
    pub(crate) async fn start(&self, number: usize) {
        let (place, site) = (&self.0[number], &self.1);
        loop {
            let (machine, seed) = {
                let mut running = place.running.lock();
                running.starts += 1;
                let seed = running.starts * 1_000 + number as u64;
                let machine = Machine::new(site.clock.now_ms(), seed);
                running.machine = Some(machine.clone());
                running.agent = None;
                (machine, seed)
            };
            site.trace.note(&place.name, &format!("starts as {seed}"));
            let arguments = arguments(site);
            let exchange = Arc::new(place.link.clone());
            let bucket = Bucket::over(Arc::new(site.store.used_by(number)), "s3://simulated");
            let peers = Arc::new(self.zone(number));
            let host = place.name.clone();
            let starting = machine
                .spawn(async move { SimulatedAgent::start(&arguments, exchange, bucket, peers, (&host, 9092)).await });
            let outcome = starting.await;
            match outcome {
                Ok(Ok(agent)) => {
                    site.trace.note(&place.name, "runs");
                    place.running.lock().agent = Some(agent);
                    return;
                }
                Ok(Err(error)) => site.trace.note(&place.name, &format!("cannot start: {error}")),
                Err(_) => site.trace.note(&place.name, "crashed as it started"),
            }
            machine.crash();
            sleep(Duration::from_secs(1)).await;
        }
    }

    /// The metadata service, as an agent on a quiet machine of its own calls it.
    ///
    /// # Panics
    /// When the service named no addresses, which it always does.
    pub(crate) fn service(&self) -> Arc<ConnectClient> {
        let site = &self.1;
        let link = Link::new("operator", site.bridge.clone(), &site.weather, &site.busy);
        let credentials = Credentials {
            agent_key: site.agent_key.clone(),
            cluster_id: site.cluster.clone(),
        };
        let client = parse_metadata_urls(&site.metadata_urls)
            .and_then(|urls| ConnectClient::over(Arc::new(link), urls, &credentials));
        match client {
            Ok(client) => Arc::new(client),
            Err(error) => panic!("{error}"),
        }
    }

    fn zone(&self, number: usize) -> ZoneNetwork {
        let Site {
            store, peer_answers, ..
        } = &self.1;
        let weather = self.0[number].zone.clone();
        ZoneNetwork::new(self.clone(), weather, store.clone(), Arc::clone(peer_answers))
    }

    /// Begins an agent's answer to a request for a block, to be run on its machine. `None`: nobody listens.
    pub(crate) fn answer_peer(
        &self,
        number: usize,
        request: Request<Bytes>,
    ) -> Option<(
        Machine,
        impl Future<Output = Option<Response<ResponseBody>>> + Send + use<>,
    )> {
        let running = self.0.get(number)?.running.lock();
        let (machine, agent) = (running.machine.as_ref()?, running.agent.as_ref()?);
        Some((machine.clone(), agent.answer_peer(request)))
    }

    /// Connects a client to an agent. `None`: nobody listens.
    pub(crate) fn connect(&self, number: usize) -> Option<DuplexStream> {
        let running = self.0[number].running.lock();
        let (machine, agent) = (running.machine.as_ref()?, running.agent.as_ref()?);
        Some(machine.enter(|| agent.connect()))
    }

    /// Ends an agent as a power failure does.
    pub(crate) fn crash(&self, number: usize) {
        let place = &self.0[number];
        let (machine, agent) = {
            let mut running = place.running.lock();
            (running.machine.take(), running.agent.take())
        };
        if let Some(machine) = machine {
            self.1.trace.note(&place.name, "crashes");
            machine.crash();
            machine.enter(|| drop(agent));
        }
    }

    /// Crashes the agent that writes the next object, before it can commit that. Returns its number.
    pub(crate) async fn crash_after_put(&self) -> Option<usize> {
        let number = timeout(PUT_TIMEOUT, self.1.store.next_writer()).await.ok()?;
        self.crash(number);
        Some(number)
    }

    /// Stops an agent as SIGTERM does.
    pub(crate) async fn stop(&self, number: usize) {
        let place = &self.0[number];
        let (machine, agent) = {
            let mut running = place.running.lock();
            (running.machine.take(), running.agent.take())
        };
        let Some(machine) = machine else { return };
        if let Some(agent) = agent {
            self.1.trace.note(&place.name, "stops");
            let stopping = machine.spawn(agent.stop());
            let in_time = timeout(STOP_TIMEOUT, stopping).await.is_ok();
            self.1
                .trace
                .note(&place.name, if in_time { "stopped" } else { "did not stop in time" });
        }
        machine.crash();
    }

    /// Pauses an agent's process for this time.
    pub(crate) async fn pause(&self, number: usize, time: Duration) {
        let place = &self.0[number];
        let machine = place.running.lock().machine.clone();
        let Some(machine) = machine else { return };
        self.1.trace.note(&place.name, &format!("pauses for {time:?}"));
        machine.pause();
        sleep(time).await;
        machine.resume();
        self.1.trace.note(&place.name, "continues");
    }

    /// Cuts an agent off the metadata service for this time.
    pub(crate) async fn cut_off(&self, number: usize, time: Duration) {
        let place = &self.0[number];
        self.1.trace.note(&place.name, &format!("is cut off for {time:?}"));
        place.link.set_cut(true);
        sleep(time).await;
        place.link.set_cut(false);
    }

    /// Sets an agent's wall clock wrong.
    pub(crate) fn skew(&self, number: usize, by_ms: i64) {
        let place = &self.0[number];
        if let Some(machine) = &place.running.lock().machine {
            self.1.trace.note(&place.name, &format!("clock moves by {by_ms} ms"));
            machine.skew_ms(by_ms);
        }
    }
}

fn arguments(site: &Site) -> Vec<String> {
    [
        "penstock",
        "agent",
        "--bucket",
        "s3://simulated",
        "--metadata-url",
        &site.metadata_urls,
        "--cluster",
        &site.cluster,
        "--agent-key",
        &site.agent_key,
        "--require-authentication",
        "never",
        "--max-users-age-ms",
        &MAX_USERS_AGE_MS.to_string(),
        "--zone",
        "zone-1",
        "--flush-interval-ms",
        "250",
        "--cache-bytes",
        if site.is_tight { "131072" } else { "16777216" },
        "--job-memory-bytes",
        if site.is_tight { "67108864" } else { "134217728" },
        "--max-in-flight-bytes",
        if site.is_tight { "1048576" } else { "268435456" },
    ]
    .map(str::to_owned)
    .to_vec()
}
