//! The address of the message browser that is advertised to web browsers.

use std::net::SocketAddr;

use thiserror::Error;

/// The value is not an origin that a browser page can call.
#[derive(Debug, Error)]
#[error(
    "“{0}” is not an origin: use http:// or https://, a host name or IPv4 address, optionally a port, and nothing after it"
)]
pub(crate) struct BrowserUrlError(String);

/// Returns the origin to advertise: the configured one, else the agent's advertised host with the listener's port.
///
/// # Errors
/// Returns an error unless the value is exactly an origin, since the control plane's page policy lists origins.
pub(crate) fn browser_url(
    configured: Option<&str>,
    advertised_host: &str,
    listen: SocketAddr,
) -> Result<String, BrowserUrlError> {
    match configured.map(str::trim).filter(|url| !url.is_empty()) {
        None => Ok(format!("http://{advertised_host}:{}", listen.port())),
        Some(url) => {
            let origin = url.strip_suffix('/').unwrap_or(url).to_ascii_lowercase();
            if is_origin(&origin) {
                Ok(origin)
            } else {
                Err(BrowserUrlError(url.to_owned()))
            }
        }
    }
}

fn is_origin(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")) else {
        return false;
    };
    let (host, port) = rest
        .split_once(':')
        .map_or((rest, None), |(host, port)| (host, Some(port)));
    let is_inner = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
    let is_host = host.starts_with(|first: char| first.is_ascii_alphanumeric())
        && host.ends_with(|last: char| last.is_ascii_alphanumeric())
        && host.chars().all(is_inner);
    is_host && port.is_none_or(|port| port.parse::<u16>().is_ok_and(|port| port > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(configured: Option<&str>) -> Result<String, BrowserUrlError> {
        browser_url(configured, "agent-1.internal", ([0, 0, 0, 0], 9465).into())
    }

    #[test]
    fn defaults_to_the_advertised_host() {
        assert_eq!(url(None).unwrap(), "http://agent-1.internal:9465");
        assert_eq!(url(Some(" ")).unwrap(), "http://agent-1.internal:9465");
    }

    #[test]
    fn accepts_only_origins() {
        assert_eq!(
            url(Some("https://Records.example.com/")).unwrap(),
            "https://records.example.com"
        );
        assert_eq!(url(Some("http://10.0.0.7:80")).unwrap(), "http://10.0.0.7:80");
        for wrong in [
            "records.example.com",
            "https://records.example.com/path",
            "https://user@records.example.com",
            "https://x:0",
            "https://x;y",
            "https://",
            "https://*.example.com",
        ] {
            assert!(url(Some(wrong)).unwrap_err().to_string().contains(wrong), "{wrong}");
        }
    }
}
