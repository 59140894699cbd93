//! A user of the cluster whose password an operator sets, replaces and deletes, and whose right to write it takes and gives
//! back. Guests sign in with right and wrong passwords and write. In the calm, every agent must know the last password,
//! the last right and the last quota.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use penstock_wire::messages::alter_client_quotas::{OpData, QuotaAlteration, QuotaEntity};
use penstock_wire::messages::alter_user_scram_credentials::{ScramCredentialDeletion, ScramCredentialUpsertion};
use penstock_wire::messages::create_acls::AclCreation;
use penstock_wire::messages::delete_acls::DeleteAclsFilter;
use penstock_wire::messages::produce::{PartitionProduceData, TopicProduceData};
use penstock_wire::messages::{
    AlterClientQuotasRequest, AlterUserScramCredentialsRequest, CreateAclsRequest, DeleteAclsRequest, ProduceRequest,
};
use penstock_wire::{ErrorCode, Secret};
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::bridge::Bridge;
use crate::changing::Changing;
use crate::client::Client;
use crate::clock::Clock;
use crate::fleet::Fleet;
use crate::history::History;
use crate::operator::{self, Operator};
use crate::passwords::{Attempt, MAX_USERS_AGE_MS, Passwords, TRUSTED_MS};
use crate::records::{PLAIN, encode};
use crate::sign_in::{HASH, ITERATIONS, SignIn, sign_in};
use crate::weather::Weather;

pub(crate) const TOPIC: &str = "guests";
const USER: &str = "guest";
const GUESTS: usize = 2;
/// The client id that gets a quota.
const LIMITED: &str = "limited";
const BYTES_PER_SECOND: f64 = 50.0;
/// More than a quota allows at once, which is what it allows in ten seconds.
const LARGE_BYTES: usize = 2_000;
/// Kafka's number of SCRAM-SHA-256.
const SCRAM_SHA_256: i8 = 1;
/// Kafka's numbers of what an ACL says: that a user may not write to a topic.
const TOPIC_RESOURCE: i8 = 2;
const LITERAL: i8 = 3;
const WRITE: i8 = 4;
const DENY: i8 = 2;
/// Until every agent knows a change, or no longer trusts what it knows.
const KNOWN: Duration = Duration::from_millis(10_000 + MAX_USERS_AGE_MS as u64);
/// Attempts to get an answer in the calm.
const ATTEMPTS: usize = 20;
/// Longer than a request and its repetition.
const SETTLE_TIMEOUT: Duration = Duration::from_secs(90);

/// The operator and the guests.
pub(crate) struct Guests {
    user: User,
    running: Vec<JoinHandle<()>>,
}

/// The user, as everybody knows it. Clones are the same.
#[derive(Clone)]
struct User {
    passwords: Arc<Mutex<Passwords>>,
    /// Whether it may write.
    may_write: Arc<Mutex<Changing<bool>>>,
    clock: Clock,
}

impl Guests {
    /// Starts them. ACLs are enforced from now on; who is named by none may do everything.
    pub(crate) async fn start(fleet: &Fleet, weather: &Weather, bridge: &Bridge, clock: Clock) -> Self {
        operator::introduce(fleet.service()).await;
        bridge.enforce_acls(operator::NAME);
        let user = User {
            passwords: Arc::new(Mutex::new(Passwords::new())),
            may_write: Arc::new(Mutex::new(Changing::new(true, 0))),
            clock,
        };
        let client = |name: String| Client::new(name, fleet, weather);
        let mut running = vec![tokio::spawn(user.clone().operate(client("user-operator".to_owned())))];
        for number in 0..GUESTS {
            running.push(tokio::spawn(user.clone().visit(client(format!("guest-{number}")))));
        }
        Self { user, running }
    }

    /// Waits until everybody has finished, and asks each agent.
    pub(crate) async fn settle(&mut self, fleet: &Fleet, weather: &Weather, history: &History) {
        for running in &mut self.running {
            match timeout(SETTLE_TIMEOUT, &mut *running).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => history.fault("a guest or its operator failed".to_owned()),
                Err(_) => {
                    running.abort();
                    history.fault("a change of a user or a sign-in does not end".to_owned());
                }
            }
        }
        let mut operator = Operator::new(Client::new("calm-operator".to_owned(), fleet, weather));
        let mut guests: Vec<Client> = (0..fleet.len())
            .map(|number| Client::new(format!("calm-guest-{number}"), fleet, weather).at(number))
            .collect();
        for (is_set, may_write) in [(true, false), (true, true), (false, true)] {
            self.user.change(&mut operator, is_set).await;
            self.user.permit(&mut operator, may_write).await;
            sleep(KNOWN).await;
            for guest in &mut guests {
                self.user.asks_everything(guest).await;
            }
        }
        let mut limited: Vec<Client> = (0..fleet.len())
            .map(|number| Client::new(LIMITED.to_owned(), fleet, weather).at(number))
            .collect();
        for quota in [Some(BYTES_PER_SECOND), None, Some(BYTES_PER_SECOND), None] {
            self.user.limit(&mut operator, quota).await;
            sleep(KNOWN).await;
            for (number, client) in limited.iter_mut().enumerate() {
                self.user.keeps_quota(number, client, quota).await;
            }
        }
    }

    pub(crate) fn judge(&self) -> Vec<String> {
        self.user.passwords.lock().faults.clone()
    }

    /// Counts for the outcome of the seed.
    pub(crate) fn counts(&self) -> Value {
        let passwords = self.user.passwords.lock();
        json!({"passwords": passwords.last(), "accepted": passwords.accepted, "refused": passwords.refused})
    }
}

impl User {
    fn fault(&self, fault: String) {
        self.passwords.lock().faults.push(fault);
    }

    /// Changes the password and the right to write until the storm is over.
    async fn operate(self, client: Client) {
        let mut operator = Operator::new(client);
        let weather = operator.client.weather.clone();
        while weather.is_stormy() {
            if weather.below(3) == 0 {
                self.permit(&mut operator, weather.below(2) == 0).await;
            } else {
                let is_set = self.passwords.lock().current().is_none() || weather.below(4) > 0;
                self.change(&mut operator, is_set).await;
            }
            sleep(weather.millis(1_000, 12_000)).await;
        }
    }

    /// Sets the next password, or deletes the present one. Tries until that is acknowledged.
    async fn change(&self, operator: &mut Operator, is_set: bool) {
        let next = self.passwords.lock().changes();
        let mut request = AlterUserScramCredentialsRequest::default();
        if is_set {
            let salt = format!("the salt of {next}").into_bytes();
            let salted = HASH.salted_password(password(next).as_bytes(), &salt, ITERATIONS);
            request.upsertions.push(ScramCredentialUpsertion {
                name: USER.to_owned(),
                mechanism: SCRAM_SHA_256,
                iterations: i32::try_from(ITERATIONS.get()).unwrap_or(i32::MAX),
                salt: Secret(Bytes::from(salt)),
                salted_password: Secret(Bytes::from(salted)),
            });
        } else {
            request.deletions.push(ScramCredentialDeletion {
                name: USER.to_owned(),
                mechanism: SCRAM_SHA_256,
            });
        }
        let answered = operator.ask(&request, 0, |response| {
            response.results.first().map(|result| result.error_code)
        });
        match answered.await {
            // The credential was deleted before, if the first answer got lost.
            Ok(ErrorCode::NONE | ErrorCode::RESOURCE_NOT_FOUND) => {}
            other => self.fault(format!("a change of a password ended with {other:?}")),
        }
        let now_ms = self.clock.elapsed_ms();
        self.passwords.lock().changed(is_set.then_some(next), now_ms);
    }

    /// Takes the right to write, or gives it back. Tries until that is acknowledged.
    async fn permit(&self, operator: &mut Operator, may_write: bool) {
        self.may_write.lock().changes();
        let principal = format!("User:{USER}");
        let answered = if may_write {
            let filter = DeleteAclsFilter {
                resource_type_filter: TOPIC_RESOURCE,
                resource_name_filter: Some(TOPIC.to_owned()),
                pattern_type_filter: LITERAL,
                principal_filter: Some(principal),
                host_filter: None,
                operation: WRITE,
                permission_type: DENY,
            };
            let request = DeleteAclsRequest { filters: vec![filter] };
            operator
                .ask(&request, 2, |response| {
                    response.filter_results.first().map(|result| result.error_code)
                })
                .await
        } else {
            let creation = AclCreation {
                resource_type: TOPIC_RESOURCE,
                resource_name: TOPIC.to_owned(),
                resource_pattern_type: LITERAL,
                principal,
                host: "*".to_owned(),
                operation: WRITE,
                permission_type: DENY,
            };
            let request = CreateAclsRequest {
                creations: vec![creation],
            };
            operator
                .ask(&request, 2, |response| {
                    response.results.first().map(|result| result.error_code)
                })
                .await
        };
        if answered != Ok(ErrorCode::NONE) {
            self.fault(format!("a change of an ACL ended with {answered:?}"));
        }
        *self.may_write.lock() = Changing::new(may_write, self.clock.elapsed_ms());
    }

    /// Signs in and writes until the storm is over, also with passwords of before and after.
    async fn visit(self, mut client: Client) {
        while client.weather.is_stormy() {
            let last = self.passwords.lock().last();
            let number = match client.weather.below(4) {
                0 => last + 1,
                1 => last.saturating_sub(1),
                2 => client.weather.below(last + 1),
                _ => last,
            };
            if self.attempt(&mut client, number, false).await == SignIn::Accepted {
                self.write(&mut client).await;
            }
            sleep(client.weather.millis(200, 4_000)).await;
        }
    }

    /// Signs in once with the password of this number, and judges the answer.
    async fn attempt(&self, client: &mut Client, number: usize, is_calm: bool) -> SignIn {
        let sent_ms = self.clock.elapsed_ms();
        let outcome = sign_in(client, USER, &password(number)).await;
        match &outcome {
            SignIn::Lost => {}
            SignIn::Fault(fault) => self.fault(fault.clone()),
            SignIn::Accepted | SignIn::Refused => self.passwords.lock().attempted(Attempt {
                password: number,
                sent_ms,
                is_accepted: outcome == SignIn::Accepted,
                is_calm,
            }),
        }
        outcome
    }

    /// Writes once after a sign-in, which shows that the agent's view is recent. Judges whether it had the right.
    async fn write(&self, client: &mut Client) -> Option<ErrorCode> {
        if !client.is_connected() {
            return None;
        }
        let sent_ms = self.clock.elapsed_ms();
        let (code, _) = self.produce(client, 0).await?;
        let expected = self.may_write.lock().certain(sent_ms, TRUSTED_MS);
        let fault = match (code, expected) {
            (ErrorCode::NONE, Some(false)) => Some("wrote without the right".to_owned()),
            (ErrorCode::TOPIC_AUTHORIZATION_FAILED, Some(true)) => {
                Some("has the right to write and was refused".to_owned())
            }
            (ErrorCode::NONE | ErrorCode::TOPIC_AUTHORIZATION_FAILED, _) => None,
            (code, _) if code.is_retriable() => None,
            (code, _) => Some(format!("cannot write: {}", code.name())),
        };
        if let Some(fault) = fault {
            self.fault(format!("a guest {fault}"));
        }
        Some(code)
    }

    /// Signs in with the last two passwords, and writes.
    async fn asks_everything(&self, client: &mut Client) {
        let last = self.passwords.lock().last();
        for number in [last, last.saturating_sub(1)] {
            let mut is_answered = false;
            for _ in 0..ATTEMPTS {
                is_answered = match self.attempt(client, number, true).await {
                    SignIn::Lost => false,
                    SignIn::Accepted => {
                        let code = self.write(client).await;
                        code.is_some_and(|code| !code.is_retriable())
                    }
                    SignIn::Refused | SignIn::Fault(_) => true,
                };
                if is_answered {
                    break;
                }
            }
            if !is_answered {
                self.fault(format!("{} cannot sign in and write", client.name));
            }
        }
    }

    /// Produces once. Returns the answer's code, and for how long the client is throttled.
    async fn produce(&self, client: &mut Client, padding: usize) -> Option<(ErrorCode, i32)> {
        let value = format!("{}{}", client.name, "-".repeat(padding));
        let request = ProduceRequest {
            acks: -1,
            timeout_ms: 20_000,
            topic_data: vec![TopicProduceData {
                name: TOPIC.to_owned(),
                partition_data: vec![PartitionProduceData {
                    index: 0,
                    records: Some(encode(PLAIN, self.clock.now_ms(), &[value])),
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        let response = client.call(&request, 9).await.ok()?;
        let code = response.responses.first()?.partition_responses.first()?.error_code;
        Some((code, response.throttle_time_ms))
    }

    /// Sets or removes the quota. Tries until that is acknowledged.
    async fn limit(&self, operator: &mut Operator, quota: Option<f64>) {
        let request = AlterClientQuotasRequest {
            entries: vec![QuotaAlteration {
                entity: vec![QuotaEntity {
                    entity_type: "client-id".to_owned(),
                    entity_name: Some(LIMITED.to_owned()),
                }],
                ops: vec![OpData {
                    key: "producer_byte_rate".to_owned(),
                    value: quota.unwrap_or_default().into(),
                    remove: quota.is_none(),
                }],
            }],
            validate_only: false,
        };
        let answered = operator.ask(&request, 1, |response| {
            response.entries.first().map(|entry| entry.error_code)
        });
        match answered.await {
            Ok(ErrorCode::NONE) => {}
            other => self.fault(format!("a change of a quota ended with {other:?}")),
        }
    }

    /// Sends more than the quota allows, on a connection that is not throttled yet.
    async fn keeps_quota(&self, agent: usize, client: &mut Client, quota: Option<f64>) {
        for _ in 0..ATTEMPTS {
            client.reconnect();
            let Some((ErrorCode::NONE, throttle_ms)) = self.produce(client, LARGE_BYTES).await else {
                continue;
            };
            if (throttle_ms > 0) != quota.is_some() {
                self.fault(format!(
                    "agent-{agent} throttles by {throttle_ms} ms, and the quota is {quota:?}"
                ));
            }
            return;
        }
        self.fault(format!("agent-{agent} takes no batch of a client with a quota"));
    }
}

fn password(number: usize) -> String {
    format!("the password {number}")
}
