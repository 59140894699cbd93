//! Those who use the cluster next to its producers and readers: consumer groups and an administrator.

use serde_json::{Value, json};

use crate::administrator::Administration;
use crate::clock::Clock;
use crate::consumers::Consumers;
use crate::fleet::Fleet;
use crate::history::History;
use crate::readers::Log;
use crate::trace::Trace;
use crate::weather::Weather;

/// Consumer groups and an administrator, at work.
pub(crate) struct Company {
    consumers: Consumers,
    administration: Administration,
}

impl Company {
    /// Starts everybody. `is_crowded` adds clients that send large batches.
    pub(crate) async fn start(fleet: &Fleet, weather: &Weather, clock: Clock, trace: &Trace, is_crowded: bool) -> Self {
        Self {
            consumers: Consumers::start(fleet, weather, clock, trace).await,
            administration: Administration::start(fleet, weather, clock, is_crowded),
        }
    }

    /// Waits until everybody has finished. `source` has the records of the topic that groups consume.
    pub(crate) async fn settle(
        &mut self,
        source: &[Log],
        fleet: &Fleet,
        weather: &Weather,
        clock: Clock,
        history: &History,
    ) {
        self.administration.settle(fleet, weather, clock, history).await;
        self.consumers.settle(source, fleet, weather, history).await;
    }

    /// Returns what is broken.
    pub(crate) fn judge(&self, source: &[Log], facts: &Value) -> Vec<String> {
        let mut faults = self.consumers.judge(source, facts);
        faults.extend(self.administration.topics.judge(facts));
        faults
    }

    /// Counts for the outcome of the seed.
    pub(crate) fn counts(&self) -> Value {
        json!({"groups": self.consumers.counts(), "topics": self.administration.topics.counts_value()})
    }
}
