//! Authentication: who can sign in, what others can do, and how a change of users affects open connections.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::harness::certificates::Certificates;
use crate::harness::sasl::{self, credential, security};
use crate::harness::tokens::IdentityProvider;
use crate::harness::{Client, LONG, TestAgent};
use penstock_agent::{ClientCertificate, ServerLimits, TlsIdentity};
use penstock_authn::{AuthoritySettings, Mechanism, PrincipalRules, Requirement};
use penstock_metadata_client::proto::{self, AuthenticationRequirement};
use penstock_wire::messages::{ApiVersionsRequest, MetadataRequest, SaslAuthenticateRequest, SaslHandshakeRequest};
use penstock_wire::{ErrorCode, encode_request};
use rustls::version::TLS13;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

const TLS: &[&rustls::SupportedProtocolVersion] = &[&TLS13];
const ALL: &[Mechanism] = &[Mechanism::ScramSha512, Mechanism::ScramSha256, Mechanism::Plain];
/// The documented time limit for a change of users to take effect.
const PROMISED: Duration = Duration::from_secs(3);

async fn agent() -> TestAgent {
    TestAgent::start_signing_in(AuthoritySettings::default(), ServerLimits::default()).await
}

/// Starts an agent with the user alice (password "right"), who can use both SCRAM mechanisms.
async fn agent_with_alice() -> TestAgent {
    let agent = agent().await;
    let credentials = vec![credential("alice", "right", 256), credential("alice", "right", 512)];
    agent.set_security(security(credentials)).await;
    agent
}

async fn tls(agent: &mut TestAgent, certificates: &Certificates, demand: Option<ClientCertificate>) -> SocketAddr {
    let identity = TlsIdentity::load(certificates.files(demand), PrincipalRules::default()).unwrap();
    agent.listen(Some(identity), ALL).await
}

/// Returns true if the client can use the cluster. Otherwise the agent closes the connection.
async fn is_let_in<Socket: AsyncRead + AsyncWrite + Unpin>(client: &mut Client<Socket>) -> bool {
    client.send(&MetadataRequest::default(), 12).await;
    !client.is_closed().await
}

#[tokio::test]
async fn a_cluster_without_credentials_is_open() {
    assert!(is_let_in(&mut agent().await.client().await).await);
}

#[tokio::test]
async fn a_cluster_with_credentials_answers_only_sign_in_requests() {
    let agent = agent_with_alice().await;
    let mut client = agent.client().await;
    let versions = client.call(&ApiVersionsRequest::default(), 3).await;
    assert!(versions.api_keys.iter().any(|key| key.api_key == 36));
    assert!(!is_let_in(&mut client).await);
    let mut produces = agent.client().await;
    produces
        .send(
            &crate::harness::produce_request("t", &[]),
            crate::harness::PRODUCE_VERSION,
        )
        .await;
    assert!(produces.is_closed().await);
}

#[tokio::test]
async fn each_mechanism_accepts_only_the_right_password() {
    let certificates = Certificates::new();
    let mut agent = agent_with_alice().await;
    let address = tls(&mut agent, &certificates, None).await;
    for mechanism in ALL {
        let connect = || certificates.connect(address, None, TLS);
        let mut client = connect().await.unwrap();
        sasl::sign_in(&mut client, *mechanism, "alice", "right").await.unwrap();
        assert!(is_let_in(&mut client).await, "{mechanism}");
        for (user, password) in [("alice", "wrong"), ("bob", "right")] {
            let mut client = connect().await.unwrap();
            let refused = sasl::sign_in(&mut client, *mechanism, user, password)
                .await
                .unwrap_err();
            assert_eq!(refused.error_code, ErrorCode::SASL_AUTHENTICATION_FAILED);
            let reason = refused.error_message.unwrap();
            assert_eq!(
                reason,
                format!("cannot sign in with {mechanism}: wrong user name or password"),
                "the same for everybody"
            );
            assert!(client.is_closed().await);
        }
    }
}

#[tokio::test]
async fn refuses_passwords_in_plaintext() {
    let agent = agent_with_alice().await;
    let mut client = agent.client().await;
    let request = SaslHandshakeRequest {
        mechanism: "PLAIN".to_owned(),
    };
    let answer = client.call(&request, 1).await;
    assert_eq!(answer.error_code, ErrorCode::UNSUPPORTED_SASL_MECHANISM);
    assert_eq!(answer.mechanisms, ["SCRAM-SHA-512", "SCRAM-SHA-256"]);
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn accepts_bare_tokens_after_a_version_0_handshake() {
    let agent = agent_with_alice().await;
    let mut client = agent.client().await;
    sasl::sign_in_bare(&mut client, Mechanism::ScramSha256, "alice", "right")
        .await
        .unwrap();
    assert!(is_let_in(&mut client).await);
    let mut client = agent.client().await;
    assert!(
        sasl::sign_in_bare(&mut client, Mechanism::ScramSha256, "alice", "wrong")
            .await
            .is_none()
    );
}

#[tokio::test]
async fn refuses_a_token_without_a_handshake() {
    let agent = agent_with_alice().await;
    let mut client = agent.client().await;
    let answer = client.call(&SaslAuthenticateRequest::default(), 2).await;
    assert_eq!(answer.error_code, ErrorCode::ILLEGAL_SASL_STATE);
    assert!(client.is_closed().await);
}

#[tokio::test]
async fn oversized_or_endless_sign_ins_close_the_connection() {
    let agent = agent_with_alice().await;
    let mut large = agent.client().await;
    large.socket.write_all(&(65_537u32).to_be_bytes()).await.unwrap();
    assert!(large.is_closed().await);
    let mut endless = agent.client().await;
    let request = encode_request(&ApiVersionsRequest::default(), 0, 1, None).unwrap();
    for _ in 0..100 {
        if endless.socket.write_all(&request.to_bytes()).await.is_err() {
            break;
        }
    }
    let mut answered = 0;
    while let Ok(len) = endless.socket.read_u32().await
        && endless.socket.read_exact(&mut vec![0; len as usize]).await.is_ok()
    {
        answered += 1;
    }
    assert!(answered <= 32, "{answered}");
}

#[tokio::test]
async fn a_client_certificate_alone_signs_in() {
    let certificates = Certificates::new();
    let mut agent = agent_with_alice().await;
    let address = tls(&mut agent, &certificates, Some(ClientCertificate::Optional)).await;
    let pair = certificates.issue("orders");
    let mut with = certificates.connect(address, Some(&pair), TLS).await.unwrap();
    assert!(is_let_in(&mut with).await);
    let mut without = certificates.connect(address, None, TLS).await.unwrap();
    assert!(!is_let_in(&mut without).await);
    let mut without = certificates.connect(address, None, TLS).await.unwrap();
    sasl::sign_in(&mut without, Mechanism::Plain, "alice", "right")
        .await
        .unwrap();
    assert!(is_let_in(&mut without).await);
}

#[tokio::test]
async fn a_token_signs_in_until_it_expires() {
    let (provider, other) = (IdentityProvider::new(), IdentityProvider::new());
    let mut agent = TestAgent::start_with_tokens(provider.verifier()).await;
    let certificates = Certificates::new();
    let identity = TlsIdentity::load(certificates.files(None), PrincipalRules::default()).unwrap();
    let address = agent.listen(Some(identity), &[Mechanism::OauthBearer]).await;
    let hour = 3600;
    let mut client = certificates.connect(address, None, TLS).await.unwrap();
    for _ in 0..2 {
        let signed_in = sasl::sign_in(
            &mut client,
            Mechanism::OauthBearer,
            "orders",
            &provider.token("orders", hour),
        )
        .await;
        let lifetime_ms = signed_in.unwrap().session_lifetime_ms;
        assert!((1..=3_600_000).contains(&lifetime_ms), "{lifetime_ms}");
    }
    assert!(is_let_in(&mut client).await);
    for (user, token) in [
        ("orders", other.token("orders", hour)),
        ("admin", provider.token("orders", hour)),
        ("orders", provider.token("orders", -10)),
        ("orders", "a.b.c".to_owned()),
    ] {
        let mut client = certificates.connect(address, None, TLS).await.unwrap();
        let refused = sasl::sign_in(&mut client, Mechanism::OauthBearer, user, &token)
            .await
            .unwrap_err();
        assert_eq!(refused.error_code, ErrorCode::SASL_AUTHENTICATION_FAILED);
        assert!(client.is_closed().await);
    }
}

#[tokio::test]
async fn the_flag_overrides_the_clusters_settings() {
    let with = |requirement| AuthoritySettings {
        requirement,
        ..Default::default()
    };
    let always = TestAgent::start_signing_in(with(Requirement::Always), ServerLimits::default()).await;
    assert!(!is_let_in(&mut always.client().await).await);
    let never = TestAgent::start_signing_in(with(Requirement::Never), ServerLimits::default()).await;
    never
        .set_security(security(vec![credential("alice", "right", 256)]))
        .await;
    assert!(is_let_in(&mut never.client().await).await);
}

/// Time from the change until the agent closes the connection.
async fn closes_after(client: &mut Client, change: impl AsyncFnOnce()) -> Duration {
    let changed_at = Instant::now();
    change().await;
    assert!(client.is_closed().await);
    changed_at.elapsed()
}

#[tokio::test]
async fn a_changed_or_expired_credential_closes_its_connections() {
    let rotated = || vec![credential("alice", "new", 256), credential("bob", "right", 256)];
    let deleted = || vec![credential("bob", "right", 256)];
    let expired = |now_ms: i64| {
        let mut alice = credential("alice", "right", 256);
        alice.expires_at_ms = now_ms + 100;
        vec![alice, credential("bob", "right", 256)]
    };
    for change in ["rotate", "delete", "expire"] {
        let agent = agent().await;
        let both = vec![credential("alice", "right", 256), credential("bob", "right", 256)];
        agent.set_security(security(both)).await;
        let (mut alice, mut bob) = (agent.client().await, agent.client().await);
        for (client, user) in [(&mut alice, "alice"), (&mut bob, "bob")] {
            sasl::sign_in(client, Mechanism::ScramSha256, user, "right")
                .await
                .unwrap();
        }
        let credentials = match change {
            "rotate" => rotated(),
            "delete" => deleted(),
            _ => expired(agent.metadata.now_ms()),
        };
        let took = closes_after(&mut alice, async || agent.metadata.set_security(security(credentials))).await;
        assert!(took < PROMISED, "{change}: {took:?}");
        assert!(is_let_in(&mut bob).await, "{change}");
    }
}

#[tokio::test]
async fn required_sign_in_closes_unauthenticated_connections() {
    let agent = agent().await;
    let mut open = agent.client().await;
    open.call(&ApiVersionsRequest::default(), 0).await;
    let first = security(vec![credential("alice", "right", 256)]);
    let took = closes_after(&mut open, async || agent.metadata.set_security(first)).await;
    assert!(took < PROMISED, "{took:?}");
}

#[tokio::test]
async fn changes_of_other_users_keep_a_connection_open() {
    let agent = agent_with_alice().await;
    let mut client = agent.client().await;
    sasl::sign_in(&mut client, Mechanism::ScramSha512, "alice", "right")
        .await
        .unwrap();
    let mut more = vec![credential("alice", "right", 512), credential("bob", "x", 256)];
    more[0].expires_at_ms = agent.metadata.now_ms() + 3_600_000;
    agent.set_security(security(more)).await;
    assert!(is_let_in(&mut client).await);
}

async fn agent_with_sessions(max_session: Duration) -> TestAgent {
    let settings = AuthoritySettings {
        max_session: Some(max_session),
        ..Default::default()
    };
    let agent = TestAgent::start_signing_in(settings, ServerLimits::default()).await;
    let credentials = vec![
        credential("alice", "right", 256),
        credential("alice", "right", 512),
        credential("bob", "right", 256),
    ];
    agent.set_security(security(credentials)).await;
    agent
}

#[tokio::test]
async fn a_connection_can_reauthenticate_only_as_the_same_user() {
    let agent = agent_with_sessions(Duration::from_secs(60)).await;
    let mut client = agent.client().await;
    for _ in 0..2 {
        let signed_in = sasl::sign_in(&mut client, Mechanism::ScramSha256, "alice", "right").await;
        assert_eq!(signed_in.unwrap().session_lifetime_ms, 60_000);
    }
    assert!(is_let_in(&mut client).await);
    for (mechanism, user) in [(Mechanism::ScramSha256, "bob"), (Mechanism::ScramSha512, "alice")] {
        let mut client = agent.client().await;
        sasl::sign_in(&mut client, Mechanism::ScramSha256, "alice", "right")
            .await
            .unwrap();
        let refused = sasl::sign_in(&mut client, mechanism, user, "right").await.unwrap_err();
        assert_eq!(refused.error_code, ErrorCode::SASL_AUTHENTICATION_FAILED);
        assert!(client.is_closed().await);
    }
}

#[tokio::test]
async fn a_session_ends_without_reauthentication() {
    let session = Duration::from_millis(200);
    let agent = agent_with_sessions(session).await;
    let mut client = agent.client().await;
    let begun = Instant::now();
    sasl::sign_in(&mut client, Mechanism::ScramSha256, "alice", "right")
        .await
        .unwrap();
    let ended = tokio::time::timeout(LONG, async { while is_answered(&mut client.socket).await {} }).await;
    assert!(ended.is_ok(), "the session never ends");
    assert!(begun.elapsed() >= session);
}

/// Returns true if a request is answered in full before the agent closes the connection.
async fn is_answered(socket: &mut TcpStream) -> bool {
    let request = encode_request(&MetadataRequest::default(), 12, 1, None).unwrap();
    if socket.write_all(&request.to_bytes()).await.is_err() {
        return false;
    }
    let Ok(len) = socket.read_u32().await else {
        return false;
    };
    socket.read_exact(&mut vec![0; len as usize]).await.is_ok()
}

#[tokio::test]
async fn the_last_users_stay_valid_for_a_limited_time_offline() {
    let settings = AuthoritySettings {
        max_users_age: Duration::from_millis(500),
        ..Default::default()
    };
    let agent = TestAgent::start_signing_in(settings, ServerLimits::default()).await;
    agent
        .set_security(security(vec![credential("alice", "right", 256)]))
        .await;
    let mut early = agent.client().await;
    sasl::sign_in(&mut early, Mechanism::ScramSha256, "alice", "right")
        .await
        .unwrap();
    agent.metadata.set_unreachable(true);
    tokio::time::timeout(LONG, async {
        while agent.context.cache.unwatched_for() <= settings.max_users_age {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    let mut late = agent.client().await;
    let request = SaslHandshakeRequest {
        mechanism: "SCRAM-SHA-256".to_owned(),
    };
    late.call(&request, 1).await;
    late.send(&sasl::first_token("alice"), 2).await;
    assert!(late.is_closed().await, "clients try again: they get no error");
    early.call(&ApiVersionsRequest::default(), 0).await;
    assert!(is_let_in(&mut early).await);
}

#[tokio::test]
async fn a_forced_open_cluster_accepts_clients_with_and_without_auth() {
    let agent = agent().await;
    let settings = proto::SecuritySettings {
        authentication: AuthenticationRequirement::Never.into(),
        ..Default::default()
    };
    let state = proto::SecurityState {
        settings: Some(settings),
        ..security(vec![credential("alice", "right", 256)])
    };
    agent.set_security(state).await;
    assert!(is_let_in(&mut agent.client().await).await);
    let mut client = agent.client().await;
    sasl::sign_in(&mut client, Mechanism::ScramSha256, "alice", "right")
        .await
        .unwrap();
    assert!(is_let_in(&mut client).await);
}

#[tokio::test]
async fn unauthenticated_connections_take_no_places_from_clients() {
    let limits = ServerLimits {
        max_connections: 1,
        ..Default::default()
    };
    let agent = TestAgent::start_signing_in(AuthoritySettings::default(), limits).await;
    agent
        .set_security(security(vec![credential("alice", "right", 256)]))
        .await;
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(TcpStream::connect(agent.address).await.unwrap());
    }
    let mut client = agent.client().await;
    sasl::sign_in(&mut client, Mechanism::ScramSha256, "alice", "right")
        .await
        .unwrap();
    assert!(is_let_in(&mut client).await);
}
