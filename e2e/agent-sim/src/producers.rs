//! Producers: plain, idempotent and transactional. Each sends one batch at a time, and again until it is answered.

use tokio::time::sleep;

use crate::client::Client;
use crate::clock::Clock;
use crate::history::{Ending, History, Kind, PARTITIONS, Sent, TOPIC};
use crate::records::encode;
use crate::session::{Outcome, Session};

const LAST_TRANSACTIONS: usize = 5;

/// A producer and its place in the history.
pub(crate) struct Producer {
    number: usize,
    kind: Kind,
    session: Session,
    history: History,
    clock: Clock,
    sent: usize,
}

impl Producer {
    pub(crate) fn new(number: usize, kind: Kind, client: Client, history: &History, clock: Clock) -> Self {
        let transactional_id = (kind == Kind::Transactional).then(|| format!("transactions-{number}"));
        Self {
            number,
            kind,
            session: Session::new(client, history, (TOPIC, PARTITIONS), transactional_id),
            history: history.clone(),
            clock,
            sent: 0,
        }
    }

    /// Sends until the storm is over, and then finishes what it has begun.
    pub(crate) async fn run(mut self) {
        if self.kind != Kind::Plain {
            self.session.begin().await;
        }
        while self.session.client.weather.is_stormy() {
            match self.kind {
                Kind::Transactional => {
                    let is_committed = self.session.client.weather.below(3) > 0;
                    self.transaction(is_committed).await;
                }
                Kind::Plain | Kind::Idempotent => {
                    self.send_batch(None).await;
                }
            }
            sleep(self.session.client.weather.millis(20, 700)).await;
        }
        if self.kind == Kind::Transactional {
            self.commit_at_last().await;
        }
    }

    /// Commits a transaction in a new session when nothing fails any more. Earlier ones may have cost it its epoch.
    async fn commit_at_last(&mut self) {
        self.session.begin().await;
        for _ in 0..LAST_TRANSACTIONS {
            if self.transaction(true).await == Ending::Committed {
                return;
            }
        }
        let name = &self.session.client.name;
        self.history.fault(format!("{name}: cannot commit after the storm"));
    }

    async fn send_batch(&mut self, transaction: Option<usize>) -> bool {
        let client = &self.session.client;
        let partition = client.weather.below(PARTITIONS as usize);
        let count = 1 + client.weather.below(4);
        let values: Vec<String> = (0..count)
            .map(|_| {
                self.sent += 1;
                format!("{}/{partition}/{}", client.name, self.sent)
            })
            .collect();
        let number = self.history.sends(Sent {
            producer: self.number,
            kind: self.kind,
            partition: partition as i32,
            values: values.clone(),
            base_offset: None,
            is_acknowledged: false,
            transaction,
        });
        let batch = encode(self.session.writer(partition), self.clock.now_ms(), &values);
        match self.session.send(partition, batch, count).await {
            Outcome::Acknowledged(offset) => {
                self.history.acknowledged(number, offset);
                true
            }
            Outcome::Refused(code) => {
                if self.kind == Kind::Idempotent {
                    self.history.fault(format!(
                        "{}: an idempotent batch was refused with {}",
                        self.session.client.name,
                        code.name()
                    ));
                }
                if self.kind != Kind::Plain {
                    self.session.begin().await;
                }
                false
            }
        }
    }

    async fn transaction(&mut self, is_committed: bool) -> Ending {
        let transaction = self.history.begins_transaction();
        if !self.session.add_partitions().await {
            self.history.ends_transaction(transaction, Ending::Aborted);
            self.session.begin().await;
            return Ending::Aborted;
        }
        for _ in 0..=self.session.client.weather.below(3) {
            if !self.send_batch(Some(transaction)).await {
                // The new session has aborted it.
                self.history.ends_transaction(transaction, Ending::Aborted);
                return Ending::Aborted;
            }
        }
        let ending = self.session.end(is_committed).await;
        self.history.ends_transaction(transaction, ending);
        if ending == Ending::Unknown {
            self.session.begin().await;
        }
        ending
    }
}
