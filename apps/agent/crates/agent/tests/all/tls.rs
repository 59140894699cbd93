//! TLS listeners: what clients reach through them, and what slow, foreign and hostile clients cannot.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use crate::harness::batches::{batch, read};
use crate::harness::certificates::{Certificates, Pair};
use crate::harness::{LONG, TestAgent, quick};
use penstock_agent::{ClientCertificate, ServerLimits, TlsIdentity};
use penstock_authn::PrincipalRules;
use penstock_wire::ErrorCode;
use penstock_wire::messages::ApiVersionsRequest;
use rustls::SupportedProtocolVersion;
use rustls::version::{TLS12, TLS13};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const ANY: &[&SupportedProtocolVersion] = &[&TLS13, &TLS12];

async fn tls_listener(
    agent: &mut TestAgent,
    certificates: &Certificates,
    client_certificate: Option<ClientCertificate>,
) -> (SocketAddr, std::sync::Arc<TlsIdentity>) {
    let rules: PrincipalRules = "RULE:CN=(\\w+),.*/$1/".parse().unwrap();
    let identity = TlsIdentity::load(certificates.files(client_certificate), rules).unwrap();
    (agent.listen(Some(identity.clone()), &[]).await, identity)
}

#[tokio::test]
async fn records_go_both_ways_over_each_tls_version() {
    let certificates = Certificates::new();
    let mut agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let (address, _) = tls_listener(&mut agent, &certificates, None).await;
    let large = "x".repeat(900 << 10);
    for (offset, version) in [(0, &TLS12), (1, &TLS13)] {
        let mut client = certificates.connect(address, None, &[version]).await.unwrap();
        assert_eq!(
            client.produce("t", 0, batch(&[&large])).await.error_code,
            ErrorCode::NONE
        );
        let fetched = read(&client.fetch("t", 0, offset).await.records);
        assert_eq!(fetched, [(offset, large.clone())]);
    }
}

#[tokio::test]
async fn plaintext_and_tls_clients_cannot_use_each_others_listener() {
    let certificates = Certificates::new();
    let mut agent = TestAgent::start().await;
    let (address, _) = tls_listener(&mut agent, &certificates, None).await;
    let mut plain = crate::harness::Client::new(TcpStream::connect(address).await.unwrap());
    plain.send(&ApiVersionsRequest::default(), 0).await;
    let mut received = Vec::new();
    let _ = plain.socket.read_to_end(&mut received).await;
    assert!(received.len() < 16, "at most an alert: {received:?}");
    assert!(certificates.connect(agent.address, None, ANY).await.is_err());
}

/// Returns true if the agent answers a client with this certificate. In TLS 1.3, the refusal follows the client's
/// handshake.
async fn is_served(certificates: &Certificates, address: SocketAddr, pair: Option<&Pair>) -> bool {
    let Ok(mut client) = certificates.connect(address, pair, ANY).await else {
        return false;
    };
    client.send(&ApiVersionsRequest::default(), 0).await;
    !client.is_closed().await
}

#[tokio::test]
async fn a_listener_serves_only_certificates_of_its_issuer() {
    let (certificates, foreign) = (Certificates::new(), Certificates::new());
    let mut agent = TestAgent::start().await;
    let (required, _) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Required)).await;
    let (optional, _) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Optional)).await;
    let (own, other) = (certificates.issue("orders"), foreign.issue("orders"));
    assert!(is_served(&certificates, required, Some(&own)).await);
    assert!(!is_served(&certificates, required, None).await);
    assert!(!is_served(&certificates, required, Some(&other)).await);
    assert!(is_served(&certificates, optional, None).await);
    assert!(!is_served(&certificates, optional, Some(&other)).await);
    let unnamed = certificates.issue("not a word");
    assert!(
        !is_served(&certificates, required, Some(&unnamed)).await,
        "no rule names it"
    );
}

#[tokio::test]
async fn a_new_certificate_applies_only_to_new_connections() {
    let certificates = Certificates::new();
    let mut agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let (address, identity) = tls_listener(&mut agent, &certificates, None).await;
    let shown = |client: &crate::harness::Client<tokio_rustls::client::TlsStream<TcpStream>>| {
        client.socket.get_ref().1.peer_certificates().unwrap()[0].to_vec()
    };
    let mut open = certificates.connect(address, None, ANY).await.unwrap();
    certificates.write_server(&certificates.issue("agent"));
    identity.reload();
    let new = certificates.connect(address, None, ANY).await.unwrap();
    assert_ne!(shown(&new), shown(&open));
    assert_eq!(open.produce("t", 0, batch(&["x"])).await.error_code, ErrorCode::NONE);
}

#[tokio::test]
async fn an_open_connection_ends_when_its_certificate_expires() {
    let certificates = Certificates::new();
    let mut agent = TestAgent::start().await;
    let (address, _) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Required)).await;
    let end = SystemTime::now() + Duration::from_secs(2);
    let (short, long) = (certificates.issue_until("orders", end), certificates.issue("orders"));
    let mut lasting = certificates.connect(address, Some(&long), ANY).await.unwrap();
    let mut ending = Vec::new();
    for version in [&TLS12, &TLS13] {
        let mut client = certificates.connect(address, Some(&short), &[version]).await.unwrap();
        client.call(&ApiVersionsRequest::default(), 0).await;
        ending.push(client);
    }
    for mut client in ending {
        assert!(client.is_closed().await);
        assert!(SystemTime::now() >= end, "closed before its time");
    }
    lasting.call(&ApiVersionsRequest::default(), 0).await;
}

#[tokio::test]
async fn removing_an_authority_closes_its_clients_connections() {
    let (certificates, removed) = (Certificates::new(), Certificates::new());
    certificates.write_authorities(&[&certificates, &removed]);
    let mut agent = TestAgent::start().await;
    let (address, identity) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Optional)).await;
    let pairs = [Some(removed.issue("orders")), Some(certificates.issue("orders")), None];
    let mut clients = Vec::new();
    for pair in &pairs {
        let mut client = certificates.connect(address, pair.as_ref(), ANY).await.unwrap();
        client.call(&ApiVersionsRequest::default(), 0).await;
        clients.push(client);
    }
    // A new server certificate alone closes no connections.
    certificates.write_server(&certificates.issue("agent"));
    identity.reload();
    clients[0].call(&ApiVersionsRequest::default(), 0).await;
    certificates.write_authorities(&[&certificates]);
    identity.reload();
    assert!(clients[0].is_closed().await);
    for client in &mut clients[1..] {
        client.call(&ApiVersionsRequest::default(), 0).await;
    }
}

#[tokio::test]
async fn a_revoked_certificate_is_refused_and_its_connections_end() {
    let in_an_hour = SystemTime::now() + Duration::from_secs(3600);
    let certificates = Certificates::new();
    certificates.write_revoked(&[1], in_an_hour);
    let mut agent = TestAgent::start().await;
    let (address, identity) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Optional)).await;
    let pair = |number| certificates.issue_numbered("orders", number);
    let (revoked, later, good) = (pair(1), pair(2), pair(3));
    assert!(!is_served(&certificates, address, Some(&revoked)).await);
    assert!(is_served(&certificates, address, None).await);
    let mut open = Vec::new();
    for pair in [&later, &good] {
        let mut client = certificates.connect(address, Some(pair), ANY).await.unwrap();
        client.call(&ApiVersionsRequest::default(), 0).await;
        open.push(client);
    }
    certificates.write_revoked(&[1, 2], in_an_hour);
    identity.reload();
    assert!(open[0].is_closed().await);
    open[1].call(&ApiVersionsRequest::default(), 0).await;
    assert!(!is_served(&certificates, address, Some(&later)).await);
    assert!(is_served(&certificates, address, Some(&good)).await);
}

#[tokio::test]
async fn refuses_certificates_without_a_current_revocation_list() {
    let (certificates, other) = (Certificates::new(), Certificates::new());
    certificates.write_authorities(&[&certificates, &other]);
    certificates.write_revoked(&[], SystemTime::now() + Duration::from_secs(3600));
    let mut agent = TestAgent::start().await;
    let (address, identity) = tls_listener(&mut agent, &certificates, Some(ClientCertificate::Required)).await;
    let good = certificates.issue("orders");
    assert!(is_served(&certificates, address, Some(&good)).await);
    assert!(!is_served(&certificates, address, Some(&other.issue("orders"))).await);
    certificates.write_revoked(&[], SystemTime::now() - Duration::from_secs(1));
    identity.reload();
    assert!(!is_served(&certificates, address, Some(&good)).await);
}

#[tokio::test]
async fn slow_handshakes_take_no_connections_from_clients() {
    let certificates = Certificates::new();
    let limits = ServerLimits {
        max_connections: 1,
        max_unproven_connections: 50,
        ..Default::default()
    };
    let mut agent = TestAgent::start_with(quick(), limits).await;
    agent.metadata.create_topic("t", 1);
    let (address, _) = tls_listener(&mut agent, &certificates, None).await;
    let mut silent = Vec::new();
    for _ in 0..50 {
        silent.push(TcpStream::connect(address).await.unwrap());
    }
    // All unproven places are taken, but no connection's. The silent ones make room when their time is up.
    tokio::time::timeout(LONG, async {
        loop {
            if let Ok(mut client) = certificates.connect(address, None, ANY).await {
                break client.produce("t", 0, batch(&["x"])).await;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
    .expect("no client gets through");
}

#[tokio::test]
async fn serves_clients_despite_idle_connections_and_handshakes() {
    let certificates = Certificates::new();
    let mut agent = TestAgent::start().await;
    agent.metadata.create_topic("t", 1);
    let (address, _) = tls_listener(&mut agent, &certificates, None).await;
    let mut idle = Vec::new();
    for _ in 0..200 {
        idle.push(certificates.connect(address, None, ANY).await.unwrap());
    }
    let mut slow = Vec::new();
    for number in 0..300 {
        let mut socket = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            // The beginning of a ClientHello.
            socket.write_all(&[0x16, 0x03, 0x01, 0x02]).await.unwrap();
        }
        slow.push(socket);
    }
    let mut client = certificates.connect(address, None, ANY).await.unwrap();
    for _ in 0..20 {
        assert_eq!(client.produce("t", 0, batch(&["x"])).await.error_code, ErrorCode::NONE);
    }
    for mut socket in slow {
        let read = tokio::time::timeout(LONG, socket.read(&mut [0; 64])).await;
        let read = read.expect("a handshake has no end");
        assert!(matches!(read, Ok(0) | Err(_)), "{read:?}");
    }
    let connections = agent.context.metrics.connections_of("main");
    tokio::time::timeout(LONG, async {
        while connections.get() != 201 {
            tokio::task::yield_now().await;
        }
    })
    .await
    .expect("places are not given back");
    for mut client in idle {
        client.call(&ApiVersionsRequest::default(), 0).await;
    }
}
