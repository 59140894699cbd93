//! A fake metadata service that returns scripted responses and records requests.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use prost::Message;

use crate::error::RpcError;
use crate::metadata::{Metadata, WatchStream, for_each_unary_rpc};
use crate::proto;

/// Returns responses in the order in which they were scripted, per RPC. A call without one gets the next of those for any
/// RPC, else it fails as unavailable.
#[derive(Debug, Default)]
pub struct ScriptedMetadata {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    answers: HashMap<&'static str, VecDeque<Result<Bytes, RpcError>>>,
    any_answers: VecDeque<Bytes>,
    requests: Vec<(&'static str, Bytes)>,
}

impl ScriptedMetadata {
    /// Scripts the next response of an RPC, such as `"CreateTopics"`.
    pub fn answer(&self, rpc: &'static str, answer: &impl Message) {
        self.script(rpc, Ok(answer.encode_to_vec().into()));
    }

    /// Scripts a failure as the next outcome of an RPC.
    pub fn fail(&self, rpc: &'static str, error: RpcError) {
        self.script(rpc, Err(error));
    }

    /// Scripts the bytes of the next response, whatever the RPC.
    pub fn answer_any(&self, answer: Bytes) {
        self.lock().any_answers.push_back(answer);
    }

    /// The requests to the RPC so far, oldest first.
    ///
    /// # Panics
    /// Panics if `Request` is not the RPC's request type.
    #[must_use]
    pub fn requests<Request: Message + Default>(&self, rpc: &str) -> Vec<Request> {
        let state = self.lock();
        let asked = state.requests.iter().filter(|(name, _)| *name == rpc);
        asked
            .map(|(_, body)| match Request::decode(body.clone()) {
                Ok(request) => request,
                Err(error) => panic!("{rpc} has another request: {error}"),
            })
            .collect()
    }

    /// Removes the recorded requests.
    pub fn forget_requests(&self) {
        self.lock().requests.clear();
    }

    fn script(&self, rpc: &'static str, outcome: Result<Bytes, RpcError>) {
        self.lock().answers.entry(rpc).or_default().push_back(outcome);
    }

    fn call<Response: Message + Default>(
        &self,
        rpc: &'static str,
        request: &impl Message,
    ) -> Result<Response, RpcError> {
        let mut state = self.lock();
        state.requests.push((rpc, request.encode_to_vec().into()));
        let outcome = state.answers.get_mut(rpc).and_then(VecDeque::pop_front);
        let outcome = outcome.or_else(|| state.any_answers.pop_front().map(Ok));
        let body = outcome.unwrap_or_else(|| Err(RpcError::Unavailable(format!("no answer to {rpc} is scripted"))))?;
        Response::decode(body).map_err(|error| RpcError::Failed {
            code: "undecodable".to_owned(),
            message: error.to_string(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

macro_rules! implement_metadata {
    ($($(#[$doc:meta])* $method:ident $rpc:ident($request:ident) -> $response:ident;)*) => {
        #[async_trait]
        impl Metadata for ScriptedMetadata {
            $(
                async fn $method(
                    &self,
                    request: proto::$request,
                    _: Duration,
                ) -> Result<proto::$response, RpcError> {
                    self.call(stringify!($rpc), &request)
                }
            )*

            async fn watch(&self, _: proto::WatchRequest) -> Result<WatchStream, RpcError> {
                Err(RpcError::Unavailable("no watch stream is scripted".to_owned()))
            }
        }
    };
}
for_each_unary_rpc!(implement_metadata);
