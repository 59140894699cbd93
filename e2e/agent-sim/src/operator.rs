//! The operator of the cluster's users, a super user, whose first credential comes from the control plane. It signs in on
//! each connection.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_metadata_client::{ConnectClient, DEFAULT_TIMEOUT, Metadata as _, proto};
use penstock_scram::Verifier;
use penstock_wire::{ErrorCode, Request};
use tokio::time::sleep;

use crate::client::Client;
use crate::exchange::RETRY;
use crate::sign_in::{HASH, ITERATIONS, SignIn, sign_in};

pub(crate) const NAME: &str = "operator";
const PASSWORD: &str = "the operator's password";
const SALT: &[u8] = b"the operator's salt";
const PAUSE: Duration = Duration::from_millis(200);
/// Far more than a storm needs.
const ATTEMPTS: usize = 1_000;

/// Gives the operator its credential.
pub(crate) async fn introduce(service: Arc<ConnectClient>) {
    let verifier = Verifier::of_password(HASH, PASSWORD.as_bytes(), SALT, ITERATIONS);
    let request = proto::AlterUserScramCredentialsRequest {
        upserts: vec![proto::ScramCredential {
            user: NAME.to_owned(),
            mechanism: proto::ScramMechanism::Sha256.into(),
            salt: Bytes::from_static(SALT),
            stored_key: verifier.stored_key.into(),
            server_key: verifier.server_key.into(),
            iterations: ITERATIONS.get(),
            ..Default::default()
        }],
        ..Default::default()
    };
    while service
        .alter_user_scram_credentials(request.clone(), DEFAULT_TIMEOUT)
        .await
        .is_err()
    {
        sleep(RETRY).await;
    }
}

/// A connection of the operator.
pub(crate) struct Operator {
    pub(crate) client: Client,
}

impl Operator {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Sends a request until an answer has no code that says to try again. Returns that code.
    ///
    /// # Errors
    /// Returns what went wrong if there never is one.
    pub(crate) async fn ask<R: Request>(
        &mut self,
        request: &R,
        version: i16,
        code: impl Fn(&R::Response) -> Option<ErrorCode>,
    ) -> Result<ErrorCode, String> {
        for _ in 0..ATTEMPTS {
            if !self.client.is_connected() {
                match sign_in(&mut self.client, NAME, PASSWORD).await {
                    SignIn::Accepted => {}
                    // An agent that cannot reach the service trusts nobody.
                    SignIn::Refused | SignIn::Lost => {
                        self.client.reconnect();
                        sleep(PAUSE).await;
                        continue;
                    }
                    SignIn::Fault(fault) => return Err(fault),
                }
            }
            if let Ok(response) = self.client.call(request, version).await {
                match code(&response) {
                    // An agent that was cut off has not heard that there are ACLs.
                    Some(code) if code.is_retriable() || code == ErrorCode::SECURITY_DISABLED => {
                        self.client.reconnect();
                    }
                    Some(code) => return Ok(code),
                    None => return Err("an answer has no result".to_owned()),
                }
            }
            sleep(PAUSE).await;
        }
        Err("no agent answers".to_owned())
    }
}
