//! Arbitrary bytes from a client without a password: exercises the frame reader, the request header, ApiVersions,
//! SaslHandshake and SaslAuthenticate. No client may get in.

use std::cell::OnceCell;

use arbitrary::Arbitrary;

use super::{Door, credentials};

const API_VERSIONS: i16 = 18;
const SASL_HANDSHAKE: i16 = 17;
const SASL_AUTHENTICATE: i16 = 36;

/// Something that a client sends at once.
#[derive(Arbitrary, Debug)]
pub enum Sent<'a> {
    /// Bytes, sent as they are.
    Bytes(&'a [u8]),
    /// A frame with the correct length.
    Frame(&'a [u8]),
    /// A frame with a header.
    Request {
        key: Key,
        version: u8,
        client_id: Option<&'a str>,
        body: &'a [u8],
    },
}

#[derive(Arbitrary, Debug)]
pub enum Key {
    ApiVersions,
    SaslHandshake,
    SaslAuthenticate,
    Other(i16),
}

impl Sent<'_> {
    fn bytes(&self) -> Vec<u8> {
        let framed = |frame: &[u8]| {
            let len = u32::try_from(frame.len()).unwrap_or(u32::MAX);
            [&len.to_be_bytes(), frame].concat()
        };
        match self {
            Self::Bytes(bytes) => bytes.to_vec(),
            Self::Frame(frame) => framed(frame),
            Self::Request {
                key,
                version,
                client_id,
                body,
            } => {
                let key = match key {
                    Key::ApiVersions => API_VERSIONS,
                    Key::SaslHandshake => SASL_HANDSHAKE,
                    Key::SaslAuthenticate => SASL_AUTHENTICATE,
                    Key::Other(key) => *key,
                };
                let client_id = client_id.map_or(vec![0xff, 0xff], |id| {
                    let id = &id.as_bytes()[..id.len().min(1000)];
                    [&u16::try_from(id.len()).unwrap_or(0).to_be_bytes(), id].concat()
                });
                let header = [key.to_be_bytes(), i16::from(*version % 8).to_be_bytes()].concat();
                framed(&[&header, &[0, 0, 0, 7][..], &client_id, body].concat())
            }
        }
    }
}

thread_local! {
    static DOOR: OnceCell<Door> = const { OnceCell::new() };
}

/// Serves one connection of a client that sends this.
///
/// # Panics
/// Panics if the client gets in.
pub fn run(sent: &[Sent<'_>]) {
    DOOR.with(|door| {
        // A password that occurs in no input.
        let door = door.get_or_init(|| Door::new(credentials(&"\u{1f512}".repeat(40)), None));
        let is_let_in = door.visit(async |mut visit| {
            for sent in sent.iter().take(64) {
                if visit.send(&sent.bytes()).await.is_none() {
                    return false;
                }
            }
            visit.serves().await
        });
        assert!(!is_let_in, "let in without a password");
    });
}
