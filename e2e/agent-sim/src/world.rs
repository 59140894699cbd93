//! One seed: a cluster, its agents and clients, a storm, and the judgement after it.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use penstock_wire::messages::CreateTopicsRequest;
use penstock_wire::messages::create_topics::CreatableTopic;
use tokio::runtime::Builder;
use tokio::time::sleep;

use crate::Arguments;
use crate::aftermath::{LEAPT, judge_days, left_over, pass_days};
use crate::bridge::{self, Bridge};
use crate::bursts::BurstProducer;
use crate::busy::Busy;
use crate::client::Client;
use crate::clock::Clock;
use crate::company::Company;
use crate::copier::COPIES;
use crate::exchange;
use crate::fleet::{Fleet, Site};
use crate::guests;
use crate::history::{History, Kind, PARTITIONS, TOPIC};
use crate::judge::{judge, judge_facts};
use crate::metadata_fault::FAULTS;
use crate::producers::Producer;
use crate::readers::{Isolation, Reader};
use crate::revocation::revoke_key;
use crate::scenarios::Stage;
use crate::store::Store;
use crate::trace::Trace;
use crate::upkeep::Upkeep;
use crate::weather::{STORE_MODES, Weather};

const PRODUCERS: [Kind; 5] = [
    Kind::Plain,
    Kind::Idempotent,
    Kind::Idempotent,
    Kind::Transactional,
    Kind::Transactional,
];
const BURST_PRODUCERS: usize = 1;
/// One in this many seeds gives the agents little memory.
const TIGHT_IN: usize = 3;
/// How long everybody gets to finish after the storm: longer than a hanging request, a transaction's and a lease's
/// time-outs together.
const CALM: Duration = Duration::from_secs(180);

/// Runs a seed and prints its outcome as one line of JSON. Returns false if something is broken.
pub(crate) fn run(seed: u64, arguments: &Arguments) -> bool {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    let Ok(runtime) = runtime else {
        eprintln!("cannot start a runtime");
        return false;
    };
    runtime.block_on(simulate(seed, arguments))
}

async fn simulate(seed: u64, arguments: &Arguments) -> bool {
    let started = if arguments.borrowed {
        bridge::borrow(seed)
    } else {
        bridge::start(&arguments.node, seed)
    };
    let started = match started {
        Ok(started) => started,
        Err(error) => {
            eprintln!("cannot start the metadata service: {error}");
            return false;
        }
    };
    let ready = started.ready.clone();
    let clock = Clock::starting_at(ready.at_ms);
    let trace = Trace::new(clock, arguments.verbose);
    let weather = Weather::new(seed, arguments.without.iter().cloned());
    if arguments.scenario.is_some() {
        weather.stage();
    }
    let bridge = Bridge::new(started, clock, trace.clone());
    let busy = Busy::default();
    let store = Store::new(clock, &weather, trace.clone(), &busy);
    let is_tight = arguments.scenario.is_none() && weather.stream("memory").below(TIGHT_IN) == 0;
    let site = Site {
        clock,
        weather: weather.clone(),
        trace: trace.clone(),
        bridge: bridge.clone(),
        store: store.clone(),
        busy: busy.clone(),
        cluster: ready.cluster,
        agent_key: ready.agent_key,
        peer_answers: Arc::default(),
        metadata_urls: ready.urls.join(","),
        is_tight,
    };
    let peer_answers = Arc::clone(&site.peer_answers);
    let driving = tokio::spawn(bridge.clone().drive());
    let fleet = Fleet::new(site, 2 + weather.below(2));
    for number in 0..fleet.len() {
        fleet.start(number).await;
    }
    create_topic(&fleet, &weather, TOPIC).await;
    create_topic(&fleet, &weather, COPIES).await;
    create_topic(&fleet, &weather, guests::TOPIC).await;
    let history = History::default();
    let upkeep = Upkeep::create(&fleet, &weather, &history, &bridge, clock).await;
    let mut company = None;
    match arguments.scenario {
        None => {
            company = Some(Company::start(&fleet, &weather, (clock, &bridge), &trace, is_tight).await);
            let storm = Duration::from_secs(arguments.seconds);
            if !brave(storm, &fleet, (&weather, &trace, &bridge), &history, &upkeep, clock).await {
                // Reading would not end, either.
                let faults = history.with(|record| record.faults.clone());
                let struck = weather.struck();
                println!(
                    "{}",
                    serde_json::json!({"seed": seed, "struck": struck, "faults": faults})
                );
                return false;
            }
        }
        Some(scenario) => {
            let stage = Stage {
                fleet: fleet.clone(),
                weather: weather.clone(),
                store: store.clone(),
                history: history.clone(),
                clock,
            };
            stage.play(scenario).await;
            weather.clear();
        }
    }
    // Open transactions of producers that gave up end by their time-out.
    sleep(Duration::from_secs(90)).await;
    let last = |name: &str, isolation| {
        let client = Client::new(name.to_owned(), &fleet, &weather);
        Reader::new(client, &history, isolation).read_all()
    };
    let everything = last("last-reader", Isolation::Uncommitted).await;
    let committed = last("last-committed-reader", Isolation::Committed).await;
    upkeep.settle().await;
    if let Some(company) = &mut company {
        company.settle(&committed, &fleet, &weather, clock, &history).await;
    }
    let facts = bridge.facts();
    let mut faults = history.with(|record| judge(record, &everything, &committed));
    faults.extend(judge_facts(&facts, &store.names(), &everything));
    faults.extend(company.iter().flat_map(|company| company.judge(&committed, &facts)));
    let left_by_storm = left_over(&facts, &store.names());
    pass_days(&bridge, &busy).await;
    let left = left_over(&bridge.facts(), &store.names());
    let days_later = last("days-later", Isolation::Uncommitted).await;
    faults.extend(judge_days(&everything, &left, &days_later));
    faults.extend(upkeep.judge(&facts).await);
    if company.is_some() {
        faults.extend(revoke_key(&bridge, &fleet, &weather, clock).await);
    }
    faults.extend(history.with(|record| record.faults.clone()));
    faults.sort();
    faults.dedup();
    driving.abort();
    let (sent, acknowledged, reads) = history.with(|record| {
        let acknowledged = record.sent.iter().filter(|sent| sent.is_acknowledged).count();
        (record.sent.len(), acknowledged, record.reads)
    });
    let calls = bridge.counts();
    let outcome = serde_json::json!({
        "seed": seed,
        "hash": format!("{:016x}", trace.hash()),
        "simulatedMs": clock.elapsed_ms() - i64::try_from(LEAPT.as_millis()).unwrap_or(0),
        "lines": trace.lines(),
        "calls": calls.calls,
        "watches": calls.watches,
        "redirects": calls.redirects,
        "resets": calls.resets,
        "isTight": is_tight,
        "company": company.as_ref().map(Company::counts),
        "sent": sent,
        "acknowledged": acknowledged,
        "read": reads,
        "orphans": left_by_storm.objects.len(),
        "struck": weather.struck(),
        "jobs": bridge.jobs(),
        "peerReads": peer_answers.given.load(Ordering::Relaxed),
        "peerLies": peer_answers.lies.load(Ordering::Relaxed),
        "upkeep": upkeep.counts(),
        "faults": faults,
    });
    if arguments.borrowed {
        eprintln!("{outcome}");
    } else {
        println!("{outcome}");
    }
    faults.is_empty()
}

/// Lets all clients work through a storm, and waits until they have finished. Returns false if they do not.
async fn brave(
    storm: Duration,
    fleet: &Fleet,
    (weather, trace, bridge): (&Weather, &Trace, &Bridge),
    history: &History,
    upkeep: &Upkeep,
    clock: Clock,
) -> bool {
    let mut clients = upkeep.start(clock);
    for (number, kind) in PRODUCERS.into_iter().enumerate() {
        let client = Client::new(format!("producer-{number}"), fleet, weather);
        clients.push(tokio::spawn(Producer::new(number, kind, client, history, clock).run()));
    }
    for number in PRODUCERS.len()..PRODUCERS.len() + BURST_PRODUCERS {
        clients.push(tokio::spawn(
            BurstProducer::new(number, fleet, weather, history, clock).run(),
        ));
    }
    for (number, isolation) in [Isolation::Uncommitted, Isolation::Committed].into_iter().enumerate() {
        let client = Client::new(format!("reader-{number}"), fleet, weather);
        clients.push(tokio::spawn(Reader::new(client, history, isolation).run()));
    }
    let faults = tokio::spawn(agent_faults(fleet.clone(), weather.stream("agents")));
    let others = tokio::spawn(other_faults(bridge.clone(), weather.stream("services"), trace.clone()));
    sleep(storm).await;
    weather.clear();
    trace.note("world", "the storm is over");
    let _ = tokio::join!(faults, others);
    let finished = tokio::time::timeout(CALM, async {
        for client in clients {
            if client.await.is_err() {
                history.fault("a client failed".to_owned());
            }
        }
    });
    let is_finished = finished.await.is_ok();
    if !is_finished {
        history.fault(format!("clients are not finished {} s after the storm", CALM.as_secs()));
    }
    is_finished
}

async fn create_topic(fleet: &Fleet, weather: &Weather, name: &str) {
    let mut client = Client::new("operator".to_owned(), fleet, weather);
    let request = CreateTopicsRequest {
        topics: vec![CreatableTopic {
            name: name.to_owned(),
            num_partitions: PARTITIONS,
            replication_factor: -1,
            ..Default::default()
        }],
        ..Default::default()
    };
    loop {
        if let Ok(response) = client.call(&request, 5).await {
            let code = response.topics.first().map(|topic| topic.error_code);
            if code.is_some_and(|code| code.is_none() || code == penstock_wire::ErrorCode::TOPIC_ALREADY_EXISTS) {
                return;
            }
        }
        sleep(exchange::RETRY).await;
    }
}

/// Faults of agents, one after another.
async fn agent_faults(fleet: Fleet, weather: Weather) {
    while weather.is_stormy() {
        sleep(weather.millis(2_000, 15_000)).await;
        let (number, kind) = (weather.below(fleet.len()), weather.below(8));
        let what = [
            "crashes",
            "crashes",
            "stops",
            "pauses",
            "is cut off",
            "has its clock moved",
            "or another one crashes after a PUT",
            "or another one crashes after a PUT",
        ][kind];
        let Some(fault) = weather.fault(1, || format!("agent-{number} {what}")) else {
            continue;
        };
        match kind {
            6 | 7 => {
                if let Some(number) = fleet.crash_after_put().await {
                    sleep(fault.millis(100, 8_000)).await;
                    fleet.start(number).await;
                }
            }
            0 | 1 => {
                fleet.crash(number);
                sleep(fault.millis(100, 8_000)).await;
                fleet.start(number).await;
            }
            2 => {
                fleet.stop(number).await;
                fleet.start(number).await;
            }
            3 => fleet.pause(number, fault.millis(500, 25_000)).await,
            4 => fleet.cut_off(number, fault.millis(1_000, 30_000)).await,
            _ => {
                let by_ms = fault.below(600_000) as i64 - 300_000;
                fleet.skew(number, by_ms);
            }
        }
    }
}

/// Faults of the bucket and of the metadata service.
async fn other_faults(bridge: Bridge, weather: Weather, trace: Trace) {
    while weather.is_stormy() {
        sleep(weather.millis(3_000, 15_000)).await;
        let is_metadata = weather.below(3) == 0;
        let (name, longest_ms) = FAULTS[weather.below(FAULTS.len())];
        let mode = STORE_MODES[weather.below(STORE_MODES.len())];
        let what = || {
            if is_metadata {
                name.to_owned()
            } else {
                format!("the store is {mode:?}")
            }
        };
        let Some(fault) = weather.fault(1, what) else {
            continue;
        };
        if is_metadata {
            let duration_ms = fault.below(longest_ms as usize + 1) as u64;
            trace.note("metadata", &format!("{name} for {duration_ms} ms"));
            bridge.fault(name, duration_ms);
            continue;
        }
        trace.note("store", &format!("is {mode:?}"));
        weather.set_store_mode(mode);
        sleep(fault.millis(1_000, 20_000)).await;
        weather.set_store_mode(crate::weather::StoreMode::Fine);
    }
}
