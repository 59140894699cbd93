//! The network of a zone, on which agents read blocks from each other. Requests get lost, answers are late, cut or short,
//! and some agents lie.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt as _, stream};
use http::{Request, Response};
use penstock_metadata_client::{Disconnected, Exchange, ResponseBody};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::fleet::Fleet;
use crate::store::Store;
use crate::weather::Weather;

const HANG: Duration = Duration::from_secs(40);
/// One in so many answers is faulty.
const ODDS: u32 = 6;

/// A way in which an answer fails.
#[derive(Debug, Clone, Copy)]
enum Fault {
    Lost,
    Slow,
    Hangs,
    /// The connection breaks in the middle of the body.
    Cut,
    /// The body ends too early.
    Short,
    FlippedByte,
    OtherObject,
}

const FAULTS: [Fault; 7] = [
    Fault::Lost,
    Fault::Slow,
    Fault::Hangs,
    Fault::Cut,
    Fault::Short,
    Fault::FlippedByte,
    Fault::OtherObject,
];

/// Counts of the agents' answers.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) given: AtomicU64,
    /// Answers with other bytes than those of the file.
    pub(crate) lies: AtomicU64,
}

/// The network of the zone. Clones are the same.
#[derive(Clone)]
pub(crate) struct ZoneNetwork {
    fleet: Fleet,
    weather: Weather,
    store: Store,
    answers: Arc<Answers>,
}

impl fmt::Debug for ZoneNetwork {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ZoneNetwork").finish_non_exhaustive()
    }
}

fn lost() -> Disconnected {
    Disconnected("the connection was reset".to_owned())
}

impl ZoneNetwork {
    pub(crate) fn new(fleet: Fleet, weather: Weather, store: Store, answers: Arc<Answers>) -> Self {
        Self {
            fleet,
            weather,
            store,
            answers,
        }
    }

    /// Has the agent answer on its own machine. The head arrives first, and then the whole body.
    async fn ask(&self, request: Request<Bytes>) -> Result<(Response<()>, oneshot::Receiver<Bytes>), Disconnected> {
        let host = request.uri().host().unwrap_or_default();
        let number = host.rsplit('-').next().and_then(|number| number.parse().ok());
        let (machine, answering) = number
            .and_then(|number| self.fleet.answer_peer(number, request))
            .ok_or_else(lost)?;
        let (head, head_came) = oneshot::channel();
        let (body, body_came) = oneshot::channel();
        drop(machine.spawn(async move {
            let Some(response) = answering.await else { return };
            let (parts, mut chunks) = response.into_parts();
            // The agent that asked may have gone.
            let _ = head.send(Response::from_parts(parts, ()));
            let mut bytes = BytesMut::new();
            while let Some(chunk) = chunks.next().await {
                match chunk {
                    Ok(chunk) => bytes.extend_from_slice(&chunk),
                    Err(_) => return,
                }
            }
            let _ = body.send(bytes.freeze());
        }));
        Ok((head_came.await.map_err(|_| lost())?, body_came))
    }

    /// The body as it arrives.
    fn body(&self, fault: Option<(Fault, &Weather)>, bytes: Bytes) -> Vec<Result<Bytes, Disconnected>> {
        self.answers.given.fetch_add(1, Ordering::Relaxed);
        let half = bytes.slice(..bytes.len() / 2);
        match fault {
            Some((Fault::Cut, _)) => vec![Ok(half), Err(lost())],
            Some((Fault::Short, _)) => vec![Ok(half)],
            Some((Fault::FlippedByte, fault)) if !bytes.is_empty() => {
                self.answers.lies.fetch_add(1, Ordering::Relaxed);
                let mut flipped = BytesMut::from(&bytes[..]);
                flipped[fault.below(bytes.len())] ^= 1;
                vec![Ok(flipped.freeze())]
            }
            Some((Fault::OtherObject, fault)) => {
                self.answers.lies.fetch_add(1, Ordering::Relaxed);
                vec![Ok(self.store.other_bytes(&bytes, fault.below(1_000)))]
            }
            _ => vec![Ok(bytes)],
        }
    }
}

#[async_trait]
impl Exchange for ZoneNetwork {
    async fn send(&self, request: Request<Bytes>) -> Result<Response<ResponseBody>, Disconnected> {
        sleep(self.weather.millis(0, 3)).await;
        let kind = FAULTS[self.weather.below(FAULTS.len())];
        let fault = self.weather.fault(ODDS, || format!("{kind:?}: an answer to an agent"));
        match (&fault, kind) {
            (Some(_), Fault::Lost) => return Err(lost()),
            (Some(fault), Fault::Slow) => sleep(fault.millis(100, 3_000)).await,
            (Some(_), Fault::Hangs) => {
                sleep(HANG).await;
                return Err(lost());
            }
            _ => {}
        }
        let (head, body) = self.ask(request).await?;
        let network = self.clone();
        let chunks = async move {
            match body.await {
                Ok(bytes) => network.body(fault.as_ref().map(|fault| (kind, fault)), bytes),
                Err(_) => vec![Err(lost())],
            }
        };
        let body = stream::once(chunks).map(stream::iter).flatten().boxed();
        Ok(head.map(|()| body))
    }
}
