//! Faults that the agent once had, each staged where it would strike again.

use std::time::Duration;

use clap::ValueEnum;
use tokio::time::{Instant, sleep, sleep_until};

use crate::bursts::BurstProducer;
use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::history::History;
use crate::readers::{Isolation, Reader};
use crate::store::Store;
use crate::weather::{StoreMode, Weather};

/// After this time agents give up writing a file.
const PUT_TIMEOUT: Duration = Duration::from_secs(60);
/// An answer that takes longer makes clients' queues fill up.
const PROMPT: Duration = Duration::from_secs(6);
/// How long after its first batches a producer goes on.
const GOES_ON: Duration = Duration::from_secs(15);
/// The service refuses files whose id is five minutes ahead when they are committed.
const WRONG_CLOCK_MS: i64 = 310_000;
/// Numbers of the producers, after those of the storm.
const FIRST_PRODUCER: usize = 50;

/// A fault that is staged instead of a storm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// One PUT hangs. The agent's other producers must not wait for it.
    HangingPut,
    /// The bucket takes no writes for about as long as agents try, from producers' first batches on.
    LongOutage,
    /// The wall clock of an agent is five minutes ahead.
    ClockAhead,
    /// An agent that cannot reach the metadata service answers readers who know more than it does.
    StaleEnd,
}

/// Everything that a scenario acts upon.
pub(crate) struct Stage {
    pub(crate) fleet: Fleet,
    pub(crate) weather: Weather,
    pub(crate) store: Store,
    pub(crate) history: History,
    pub(crate) clock: Clock,
}

impl Stage {
    /// Plays a scenario to its end.
    pub(crate) async fn play(self, scenario: Scenario) {
        match scenario {
            Scenario::HangingPut => self.hanging_put().await,
            Scenario::LongOutage => self.long_outage().await,
            Scenario::ClockAhead => self.clock_ahead().await,
            Scenario::StaleEnd => self.stale_end().await,
        }
    }

    fn producer(&self, number: usize) -> BurstProducer {
        BurstProducer::new(
            FIRST_PRODUCER + number,
            &self.fleet,
            &self.weather,
            &self.history,
            self.clock,
        )
    }

    /// Sends bursts through an agent for some time, and checks how they were answered.
    async fn answers_promptly(&self, agent: usize, time: Duration) {
        let mut producer = self.producer(0);
        producer.begin_session().await;
        let until = Instant::now() + time;
        while Instant::now() < until {
            producer.burst(Some(agent)).await;
        }
        let retries = self.history.with(|record| record.retries);
        if producer.slowest > PROMPT || retries > 0 {
            self.history.fault(format!(
                "batches were answered after up to {:?}, and {retries} had to be sent again",
                producer.slowest
            ));
        }
    }

    async fn hanging_put(&self) {
        let hang = async {
            sleep(Duration::from_secs(4)).await;
            self.store.hang_next_write();
        };
        tokio::join!(hang, self.answers_promptly(0, GOES_ON));
    }

    async fn long_outage(&self) {
        self.weather.set_store_mode(StoreMode::ReadOnly);
        let began = Instant::now();
        let producers = (0..3).map(|number| {
            let mut producer = self.producer(number);
            async move {
                producer.begin_session().await;
                while began.elapsed() < PUT_TIMEOUT + GOES_ON {
                    producer.burst(Some(0)).await;
                }
            }
        });
        let ends = async {
            // Often the first files are given up, and some that were sealed a little later are not: the last attempt comes
            // up to two seconds before the time-out.
            let outage = PUT_TIMEOUT - Duration::from_millis(2_500) + self.weather.millis(0, 4_000);
            sleep_until(began + outage).await;
            self.weather.set_store_mode(StoreMode::Fine);
        };
        tokio::join!(ends, futures_util::future::join_all(producers));
    }

    async fn clock_ahead(&self) {
        self.fleet.skew(0, WRONG_CLOCK_MS);
        self.answers_promptly(0, GOES_ON).await;
    }

    async fn stale_end(&self) {
        let mut producer = self.producer(0);
        producer.begin_session().await;
        let reader = |number: usize, isolation| {
            let client = Client::new(format!("staged-reader-{number}"), &self.fleet, &self.weather).at(number);
            tokio::spawn(Reader::new(client, &self.history, isolation).run())
        };
        let readers = [reader(0, Isolation::Uncommitted), reader(1, Isolation::Uncommitted)];
        let until = Instant::now() + 4 * GOES_ON;
        let writes = async {
            while Instant::now() < until {
                producer.burst(Some(0)).await;
                sleep(Duration::from_millis(500)).await;
            }
        };
        let cut = async {
            sleep(GOES_ON / 2).await;
            self.fleet.cut_off(1, 2 * GOES_ON).await;
        };
        tokio::join!(writes, cut);
        self.weather.clear();
        for reader in readers {
            if reader.await.is_err() {
                self.history.fault("a reader failed".to_owned());
            }
        }
    }
}
