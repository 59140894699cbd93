//! The client side of SASL, and the matching credentials.

use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use bytes::Bytes;
use penstock_authn::Mechanism;
use penstock_metadata_client::proto;
use penstock_wire::ErrorCode;
use penstock_wire::messages::{SaslAuthenticateRequest, SaslAuthenticateResponse, SaslHandshakeRequest};
use ring::{digest, hmac, pbkdf2};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};

use super::Client;

const ITERATIONS: NonZeroU32 = NonZeroU32::new(4096).unwrap();

struct Hash {
    digest: &'static digest::Algorithm,
    hmac: hmac::Algorithm,
    pbkdf2: pbkdf2::Algorithm,
}

const SHA_256: Hash = Hash {
    digest: &digest::SHA256,
    hmac: hmac::HMAC_SHA256,
    pbkdf2: pbkdf2::PBKDF2_HMAC_SHA256,
};
const SHA_512: Hash = Hash {
    digest: &digest::SHA512,
    hmac: hmac::HMAC_SHA512,
    pbkdf2: pbkdf2::PBKDF2_HMAC_SHA512,
};

impl Hash {
    fn salted(&self, password: &str, salt: &[u8]) -> hmac::Key {
        let mut salted = vec![0; self.digest.output_len()];
        pbkdf2::derive(self.pbkdf2, ITERATIONS, salt, password.as_bytes(), &mut salted);
        hmac::Key::new(self.hmac, &salted)
    }
}

/// A SCRAM credential, derived from the password. `bits`: 256 or 512.
pub fn credential(user: &str, password: &str, bits: u32) -> proto::ScramCredential {
    let (hash, mechanism) = match bits {
        256 => (&SHA_256, proto::ScramMechanism::Sha256),
        _ => (&SHA_512, proto::ScramMechanism::Sha512),
    };
    let salt = format!("salt of {user}");
    let salted = hash.salted(password, salt.as_bytes());
    let client_key = hmac::sign(&salted, b"Client Key");
    proto::ScramCredential {
        user: user.to_owned(),
        mechanism: mechanism.into(),
        salt: salt.into(),
        stored_key: Bytes::copy_from_slice(digest::digest(hash.digest, client_key.as_ref()).as_ref()),
        server_key: Bytes::copy_from_slice(hmac::sign(&salted, b"Server Key").as_ref()),
        iterations: ITERATIONS.get(),
        ..Default::default()
    }
}

pub fn security(credentials: Vec<proto::ScramCredential>) -> proto::SecurityState {
    proto::SecurityState {
        version: 1,
        credentials,
        ..Default::default()
    }
}

/// The first message of a SCRAM client.
pub fn first_token(user: &str) -> SaslAuthenticateRequest {
    SaslAuthenticateRequest {
        auth_bytes: format!("n,,n={user},r=abc").into(),
    }
}

/// The final message of a SCRAM client, computed from the challenge.
fn last_token(hash: &Hash, user: &str, password: &str, challenge: &[u8]) -> Bytes {
    let challenge = std::str::from_utf8(challenge).unwrap();
    let fields: Vec<&str> = challenge.split(',').collect();
    assert!(fields[0].starts_with("r=abc"), "{challenge}");
    let salted = hash.salted(password, &BASE64.decode(&fields[1][2..]).unwrap());
    let client_key = hmac::sign(&salted, b"Client Key");
    let stored_key = digest::digest(hash.digest, client_key.as_ref());
    let without_proof = format!("c=biws,{}", fields[0]);
    let auth_message = format!("n={user},r=abc,{challenge},{without_proof}");
    let signature = hmac::sign(&hmac::Key::new(hash.hmac, stored_key.as_ref()), auth_message.as_bytes());
    let proof: Vec<u8> = std::iter::zip(client_key.as_ref(), signature.as_ref())
        .map(|(key, signature)| key ^ signature)
        .collect();
    format!("{without_proof},p={}", BASE64.encode(proof)).into()
}

/// Signs in, or returns the response that refused it. For OAUTHBEARER, the password is the token.
pub async fn sign_in<Socket: AsyncRead + AsyncWrite + Unpin>(
    client: &mut Client<Socket>,
    mechanism: Mechanism,
    user: &str,
    password: &str,
) -> Result<SaslAuthenticateResponse, SaslAuthenticateResponse> {
    let request = SaslHandshakeRequest {
        mechanism: mechanism.name().to_owned(),
    };
    assert_eq!(client.call(&request, 1).await.error_code, ErrorCode::NONE);
    let token = |auth_bytes| SaslAuthenticateRequest { auth_bytes };
    let ok = |answer: SaslAuthenticateResponse| match answer.error_code {
        ErrorCode::NONE => Ok(answer),
        _ => Err(answer),
    };
    let hash = match mechanism {
        Mechanism::Plain => {
            let plain = token(format!("\0{user}\0{password}").into());
            return ok(client.call(&plain, 2).await);
        }
        Mechanism::OauthBearer => {
            let bearer = token(format!("n,a={user},\x01auth=Bearer {password}\x01\x01").into());
            return ok(client.call(&bearer, 2).await);
        }
        Mechanism::ScramSha256 => &SHA_256,
        Mechanism::ScramSha512 => &SHA_512,
    };
    let challenge = ok(client.call(&first_token(user), 2).await)?;
    let last = last_token(hash, user, password, &challenge.auth_bytes);
    ok(client.call(&token(last), 2).await)
}

/// Like [`sign_in`], with tokens in their own frames. `None`: the agent closed the connection.
pub async fn sign_in_bare<Socket: AsyncRead + AsyncWrite + Unpin>(
    client: &mut Client<Socket>,
    mechanism: Mechanism,
    user: &str,
    password: &str,
) -> Option<()> {
    let request = SaslHandshakeRequest {
        mechanism: mechanism.name().to_owned(),
    };
    assert_eq!(client.call(&request, 0).await.error_code, ErrorCode::NONE);
    let challenge = exchange(&mut client.socket, &first_token(user).auth_bytes).await?;
    let signature = exchange(&mut client.socket, &last_token(&SHA_256, user, password, &challenge)).await?;
    assert!(signature.starts_with(b"v="));
    Some(())
}

async fn exchange(socket: &mut (impl AsyncRead + AsyncWrite + Unpin), token: &[u8]) -> Option<Vec<u8>> {
    let len = u32::try_from(token.len()).unwrap();
    socket.write_all(&len.to_be_bytes()).await.ok()?;
    socket.write_all(token).await.ok()?;
    let len = socket.read_u32().await.ok()?;
    let mut answer = vec![0; len as usize];
    socket.read_exact(&mut answer).await.ok()?;
    Some(answer)
}
