//! Tests arbitrary client input before sign-in: no panics, bounded responses, and no access without a password.

use std::net::Ipv4Addr;

use penstock_authn::AuthoritySettings;
use penstock_metadata_client::cache::ClusterCache;
use penstock_metadata_client::proto;
use penstock_wire::encode_request;
use proptest::prelude::*;
use tokio::runtime::Builder;

use super::*;

const LARGEST_ANSWER: usize = 1024;

fn session() -> Session {
    let (cache, _interest) = ClusterCache::new();
    let credential = |mechanism: proto::ScramMechanism, bytes: usize| proto::ScramCredential {
        user: "alice".to_owned(),
        mechanism: mechanism.into(),
        salt: vec![1; 16].into(),
        stored_key: vec![2; bytes].into(),
        server_key: vec![3; bytes].into(),
        iterations: 4096,
        ..Default::default()
    };
    cache.set_security(proto::SecurityState {
        credentials: vec![
            credential(proto::ScramMechanism::Sha256, 32),
            credential(proto::ScramMechanism::Sha512, 64),
        ],
        ..Default::default()
    });
    let settings = AuthoritySettings {
        // The cache is never connected.
        max_users_age: Duration::MAX,
        ..Default::default()
    };
    let authority = Authority::new(cache, settings, None, b"secret").unwrap();
    let offered: Arc<[Mechanism]> = [Mechanism::ScramSha512, Mechanism::ScramSha256].into();
    let client = Client::anonymous((Ipv4Addr::LOCALHOST, 1).into(), "main".into());
    Session::new(client, None, (&authority, &offered), &Arc::default())
}

/// Sends frames until the connection would be closed.
fn send(frames: Vec<Vec<u8>>) {
    let runtime = Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let mut session = session();
        for frame in frames {
            match session.route(&frame) {
                Ok(Route::Dispatch) => assert_eq!(api_key(&frame), Some(ApiKey::ApiVersions)),
                Ok(Route::Authenticate) => {
                    let Ok(reply) = session.authenticate(frame.into()).await else {
                        break;
                    };
                    let answer: usize = reply.frame.iter().flatten().map(Bytes::len).sum();
                    assert!(answer < LARGEST_ANSWER, "{answer} bytes");
                    if reply.end.is_some() {
                        break;
                    }
                }
                Err(_) => break,
            }
        }
        assert!(!session.may_use_everything());
    });
}

fn framed<R: Request>(request: &R, version: i16) -> Vec<u8> {
    encode_request(request, version, 1, Some("x")).unwrap().to_bytes()[4..].to_vec()
}

fn handshake() -> impl Strategy<Value = Vec<u8>> {
    (prop_oneof!["SCRAM-SHA-(256|512)", "PLAIN", ".{0,12}"], 0..=1i16)
        .prop_map(|(mechanism, version)| framed(&SaslHandshakeRequest { mechanism }, version))
}

fn token() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        "(n|y),(a=alice)?,n=(alice|bob),r=[!-+]{1,8}".prop_map(String::into_bytes),
        "c=biws,r=.{0,40},p=[a-zA-Z0-9+/]{0,44}".prop_map(String::into_bytes),
        "\0alice\0.{0,8}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..200),
    ]
}

fn frame() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        handshake(),
        token(),
        (token(), 0..=2i16).prop_map(|(token, version)| {
            framed(
                &SaslAuthenticateRequest {
                    auth_bytes: token.into(),
                },
                version,
            )
        }),
        // A known API key followed by arbitrary bytes.
        (
            prop_oneof![Just(17i16), Just(18), Just(36), any::<i16>()],
            prop::collection::vec(any::<u8>(), 0..100)
        )
            .prop_map(|(key, rest)| [&key.to_be_bytes()[..], &rest].concat()),
    ]
}

proptest! {
    /// Set `PROPTEST_CASES=1000000` for a long run.
    #[test]
    fn arbitrary_input_neither_signs_in_nor_panics(frames in prop::collection::vec(frame(), 1..8)) {
        send(frames);
    }
}

#[tokio::test]
async fn limits_the_responses_before_sign_in() {
    let mut session = session();
    let request = framed(&penstock_wire::messages::ApiVersionsRequest::default(), 0);
    for _ in 0..MAX_REQUESTS_BEFORE_SIGN_IN {
        assert!(matches!(session.route(&request), Ok(Route::Dispatch)));
    }
    assert!(matches!(session.route(&request), Err(SessionEnd::TooManyRequests)));
}

/// The authority of a cluster with users "heavy" and "light". Verifying the password of "heavy" takes hundreds of times
/// longer.
fn authority_of_heavy_and_light() -> Arc<Authority> {
    let (cache, _interest) = ClusterCache::new();
    let credential = |user: &str, iterations: u32| proto::ScramCredential {
        user: user.to_owned(),
        mechanism: proto::ScramMechanism::Sha256.into(),
        salt: vec![1; 16].into(),
        stored_key: vec![2; 32].into(),
        server_key: vec![3; 32].into(),
        iterations,
        ..Default::default()
    };
    cache.set_security(proto::SecurityState {
        credentials: vec![credential("heavy", 1_000_000), credential("light", 4096)],
        ..Default::default()
    });
    let settings = AuthoritySettings {
        max_users_age: Duration::MAX,
        ..Default::default()
    };
    Authority::new(cache, settings, None, b"secret").unwrap()
}

async fn guess(authority: &Arc<Authority>, user: &str) {
    let offered: Arc<[Mechanism]> = [Mechanism::Plain].into();
    let client = Client::anonymous((Ipv4Addr::LOCALHOST, 1).into(), "main".into());
    let mut session = Session::new(client, None, (authority, &offered), &Arc::default());
    let mechanism = "PLAIN".to_owned();
    let handshake = framed(&SaslHandshakeRequest { mechanism }, 1);
    session.authenticate(handshake.into()).await.unwrap();
    let auth_bytes = format!("\0{user}\0guess").into_bytes().into();
    let reply = session
        .authenticate(framed(&SaslAuthenticateRequest { auth_bytes }, 2).into())
        .await;
    assert!(reply.unwrap().end.is_some(), "the password is wrong");
}

#[tokio::test]
async fn guesses_at_one_user_do_not_delay_another() {
    let authority = authority_of_heavy_and_light();
    let done = Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..24 {
        let (authority, done) = (Arc::clone(&authority), Arc::clone(&done));
        guesses.spawn(async move {
            guess(&authority, "heavy").await;
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
    }
    // Each guess now either waits for its turn or runs.
    tokio::task::yield_now().await;
    guess(&authority, "light").await;
    let before = done.load(std::sync::atomic::Ordering::Relaxed);
    assert!(before <= 1, "{before} guesses at another user came first");
}
