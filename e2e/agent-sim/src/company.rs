//! Those who use the cluster next to its producers and readers: consumer groups, an administrator and guests.

use serde_json::{Value, json};

use crate::administrator::Administration;
use crate::bridge::Bridge;
use crate::clock::Clock;
use crate::consumers::Consumers;
use crate::fleet::Fleet;
use crate::guests::Guests;
use crate::history::History;
use crate::readers::Log;
use crate::trace::Trace;
use crate::weather::Weather;

/// Consumer groups, an administrator and guests, at work.
pub(crate) struct Company {
    consumers: Consumers,
    administration: Administration,
    guests: Guests,
}

impl Company {
    /// Starts everybody. `is_crowded` adds clients that send large batches.
    pub(crate) async fn start(
        fleet: &Fleet,
        weather: &Weather,
        (clock, bridge): (Clock, &Bridge),
        trace: &Trace,
        is_crowded: bool,
    ) -> Self {
        Self {
            consumers: Consumers::start(fleet, weather, clock, trace).await,
            administration: Administration::start(fleet, weather, clock, is_crowded),
            guests: Guests::start(fleet, weather, bridge, clock).await,
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
        self.guests.settle(fleet, weather, history).await;
    }

    /// Returns what is broken.
    pub(crate) fn judge(&self, source: &[Log], facts: &Value) -> Vec<String> {
        let mut faults = self.consumers.judge(source, facts);
        faults.extend(self.administration.topics.judge(facts));
        faults.extend(self.guests.judge());
        faults
    }

    /// Counts for the outcome of the seed.
    pub(crate) fn counts(&self) -> Value {
        json!({
            "groups": self.consumers.counts(),
            "topics": self.administration.topics.counts_value(),
            "guests": self.guests.counts(),
        })
    }
}
