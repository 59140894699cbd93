//! How a client signs in: SCRAM-SHA-256, as Kafka's clients speak it.

use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use penstock_scram::ScramHash;
use penstock_wire::ErrorCode;
use penstock_wire::messages::{SaslAuthenticateRequest, SaslHandshakeRequest};

use crate::client::Client;

pub(crate) const HASH: ScramHash = ScramHash::Sha256;
/// Kafka's least number of iterations.
pub(crate) const ITERATIONS: NonZeroU32 = NonZeroU32::MIN.saturating_add(4_095);

/// The outcome of an attempt to sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignIn {
    Accepted,
    Refused,
    /// The connection broke before an answer.
    Lost,
    /// The agent broke the protocol.
    Fault(String),
}

/// Signs in on a new connection.
pub(crate) async fn sign_in(client: &mut Client, user: &str, password: &str) -> SignIn {
    client.reconnect();
    let handshake = SaslHandshakeRequest {
        mechanism: "SCRAM-SHA-256".to_owned(),
    };
    match client.call(&handshake, 1).await {
        Ok(response) if response.error_code.is_none() => {}
        Ok(response) => return SignIn::Fault(format!("the handshake failed with {}", response.error_code.name())),
        Err(_) => return SignIn::Lost,
    }
    let outcome = scram(client, user, password).await;
    outcome.map_or_else(|failed| failed, |()| SignIn::Accepted)
}

async fn scram(client: &mut Client, user: &str, password: &str) -> Result<(), SignIn> {
    let client_nonce = format!("{}-{}", client.name, client.weather.below(1 << 30));
    let client_first = format!("n={user},r={client_nonce}");
    let server_first = authenticate(client, format!("n,,{client_first}")).await?;
    let part = |name: &str| server_first.split(',').find_map(|part| part.strip_prefix(name));
    let (nonce, salt, iterations) = (part("r="), part("s="), part("i="));
    let nonce = nonce.filter(|nonce| nonce.starts_with(&client_nonce));
    let salt = salt.and_then(|salt| STANDARD.decode(salt).ok());
    let iterations = iterations.and_then(|count| count.parse().ok());
    let (Some(nonce), Some(salt), Some(iterations)) = (nonce, salt, iterations) else {
        return Err(SignIn::Fault(format!("a SCRAM challenge is {server_first}")));
    };
    let salted = HASH.salted_password(password.as_bytes(), &salt, iterations);
    let client_key = HASH.sign(&salted, b"Client Key");
    let stored_key = HASH.digest(client_key.as_ref());
    let bare = format!("c=biws,r={nonce}");
    let message = format!("{client_first},{server_first},{bare}");
    let signature = HASH.sign(stored_key.as_ref(), message.as_bytes());
    let proof: Vec<u8> = client_key
        .as_ref()
        .iter()
        .zip(signature.as_ref())
        .map(|(key, signature)| key ^ signature)
        .collect();
    let last = authenticate(client, format!("{bare},p={}", STANDARD.encode(proof))).await?;
    let server_key = HASH.sign(&salted, b"Server Key");
    let expected = HASH.sign(server_key.as_ref(), message.as_bytes());
    match last == format!("v={}", STANDARD.encode(expected)) {
        true => Ok(()),
        false => Err(SignIn::Fault(format!(
            "an agent that does not know the password says {last}"
        ))),
    }
}

/// Sends a token, and returns the agent's.
async fn authenticate(client: &mut Client, token: String) -> Result<String, SignIn> {
    if !client.is_connected() {
        return Err(SignIn::Lost);
    }
    let request = SaslAuthenticateRequest {
        auth_bytes: Bytes::from(token),
    };
    let response = client.call(&request, 1).await.map_err(|_| SignIn::Lost)?;
    match response.error_code {
        ErrorCode::NONE => Ok(String::from_utf8_lossy(&response.auth_bytes).into_owned()),
        ErrorCode::SASL_AUTHENTICATION_FAILED => Err(SignIn::Refused),
        code => Err(SignIn::Fault(format!("a sign-in failed with {}", code.name()))),
    }
}
