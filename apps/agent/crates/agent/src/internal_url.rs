//! The address at which other agents in the zone connect to this one.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use thiserror::Error;
use tokio::net::UdpSocket;
use url::Url;

/// The address is not one at which agents can reach this one.
#[derive(Debug, Error)]
#[error("“{0}” is not an http origin: use http://, a host name or IP address and a port, and nothing after it")]
pub(crate) struct InternalUrlError(String);

/// Returns the origin to advertise: the configured one, else the listener's own address. If the listener is bound to
/// all interfaces, the address from which this machine reaches the metadata service, else the machine's name.
///
/// # Errors
/// Returns an error if the value is not exactly an http origin.
pub(crate) async fn internal_url(
    configured: Option<&str>,
    listen: SocketAddr,
    service: Option<&Url>,
) -> Result<String, InternalUrlError> {
    if let Some(configured) = configured.map(str::trim).filter(|url| !url.is_empty()) {
        return origin(configured).ok_or_else(|| InternalUrlError(configured.to_owned()));
    }
    let ip = match service {
        _ if !listen.ip().is_unspecified() => Some(listen.ip()),
        Some(service) => own_address_towards(service).await,
        None => None,
    };
    let port = listen.port();
    Ok(match ip {
        Some(ip) => format!("http://{}", SocketAddr::new(ip, port)),
        None => format!("http://{}:{port}", rustix::system::uname().nodename().to_string_lossy()),
    })
}

fn origin(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let origin = url.origin().ascii_serialization();
    (url.scheme() == "http" && url.as_str() == format!("{origin}/")).then_some(origin)
}

/// The local address that the routing table chooses for packets to the service. Sends nothing.
#[expect(clippy::disallowed_methods, reason = "asks this machine's routing table")]
async fn own_address_towards(service: &Url) -> Option<IpAddr> {
    let host = service.host_str()?.trim_matches(['[', ']']).to_owned();
    let port = service.port_or_known_default()?;
    for target in tokio::net::lookup_host((host, port)).await.ok()? {
        let any = match target {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            SocketAddr::V6(_) => std::net::Ipv6Addr::UNSPECIFIED.into(),
        };
        if let Ok(socket) = UdpSocket::bind((any, 0)).await
            && socket.connect(target).await.is_ok()
            && let Ok(own) = socket.local_addr()
        {
            return Some(own.ip());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn url(configured: Option<&str>, listen: &str, service: &str) -> Result<String, InternalUrlError> {
        let service = Url::parse(service).unwrap();
        internal_url(configured, listen.parse().unwrap(), Some(&service)).await
    }

    #[tokio::test]
    async fn defaults_to_the_listener_or_the_route_to_the_service() {
        let seen = url(None, "127.0.0.9:4000", "http://127.0.0.1:7070").await;
        assert_eq!(seen.unwrap(), "http://127.0.0.9:4000");
        let seen = url(Some(" "), "0.0.0.0:4000", "http://127.0.0.1:7070").await;
        assert_eq!(seen.unwrap(), "http://127.0.0.1:4000");
        let seen = url(None, "[::1]:4000", "http://127.0.0.1:7070").await;
        assert_eq!(seen.unwrap(), "http://[::1]:4000");
    }

    #[tokio::test]
    async fn advertises_the_host_name_if_the_service_is_unreachable() {
        let seen = url(None, "0.0.0.0:4000", "http://no-such-host.invalid:7070")
            .await
            .unwrap();
        assert!(seen.starts_with("http://") && seen.ends_with(":4000"), "{seen}");
    }

    #[tokio::test]
    async fn accepts_only_http_origins() {
        let configured = |text| url(Some(text), "0.0.0.0:4000", "http://127.0.0.1:7070");
        assert_eq!(
            configured("http://10.0.3.7:9466/").await.unwrap(),
            "http://10.0.3.7:9466"
        );
        assert_eq!(
            configured("http://[fd00::7]:9466").await.unwrap(),
            "http://[fd00::7]:9466"
        );
        for wrong in [
            "10.0.3.7:9466",
            "https://a:1",
            "http://a:1/x",
            "http://u@a:1",
            "http://a:1?x",
            "x",
        ] {
            assert!(
                configured(wrong).await.unwrap_err().to_string().contains(wrong),
                "{wrong}"
            );
        }
    }
}
