//! Restricts the agent's metrics to callers on this machine and those with the operator's token, like the metadata
//! service (`packages/platform/src/metrics-access.ts`).

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use http::HeaderValue;
use ring::hmac;
use thiserror::Error;

/// Minimum token length. A shorter token could be guessed over the network.
const MIN_TOKEN_CHARS: usize = 16;
const SCHEME: &[u8] = b"Bearer ";

/// The metrics token is too short.
#[derive(Debug, Error)]
#[error("use at least {MIN_TOKEN_CHARS} characters")]
pub struct TokenTooShort;

/// The token that `/metrics` requires from other machines.
#[derive(Clone)]
pub struct MetricsToken(hmac::Tag);

/// Hides the token in debug output.
impl fmt::Debug for MetricsToken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("MetricsToken")
    }
}

impl FromStr for MetricsToken {
    type Err = TokenTooShort;

    fn from_str(token: &str) -> Result<Self, TokenTooShort> {
        match token.chars().count() >= MIN_TOKEN_CHARS {
            true => Ok(Self(hmac::sign(&key(token.as_bytes()), &[]))),
            false => Err(TokenTooShort),
        }
    }
}

impl MetricsToken {
    /// Compares the tokens in constant time.
    fn is(&self, brought: &[u8]) -> bool {
        hmac::verify(&key(brought), &[], self.0.as_ref()).is_ok()
    }
}

fn key(token: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, token)
}

/// Returns why the caller may not read the metrics, if so. `peer` is the connection's address, never one from a header.
pub(crate) fn metrics_refusal(
    peer: IpAddr,
    authorization: Option<&HeaderValue>,
    token: Option<&MetricsToken>,
) -> Option<&'static str> {
    if peer.to_canonical().is_loopback() {
        return None;
    }
    let Some(token) = token else {
        return Some("metrics are for this machine only: set --metrics-token to read them from another one");
    };
    let bearer = authorization.and_then(|value| {
        let (scheme, brought) = value.as_bytes().split_at_checked(SCHEME.len())?;
        scheme.eq_ignore_ascii_case(SCHEME).then_some(brought)
    });
    match bearer.is_some_and(|brought| token.is(brought)) {
        true => None,
        false => Some("metrics need the header \"Authorization: Bearer TOKEN\" with the token of --metrics-token"),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    const TOKEN: &str = "a-token-of-this-test";
    const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 7));

    fn refusal(peer: IpAddr, authorization: Option<&str>, token: Option<&str>) -> Option<&'static str> {
        let authorization = authorization.map(|value| HeaderValue::from_str(value).unwrap());
        let token = token.map(|token| token.parse().unwrap());
        metrics_refusal(peer, authorization.as_ref(), token.as_ref())
    }

    #[test]
    fn this_machine_reads_metrics_without_a_token() {
        let mapped = Ipv4Addr::LOCALHOST.to_ipv6_mapped();
        for peer in [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into(), mapped.into()] {
            assert_eq!(refusal(peer, None, None), None);
            assert_eq!(refusal(peer, None, Some(TOKEN)), None);
        }
    }

    #[test]
    fn other_machines_need_the_token() {
        let right = format!("Bearer {TOKEN}");
        assert_eq!(refusal(ELSEWHERE, Some(&right), Some(TOKEN)), None);
        assert_eq!(refusal(ELSEWHERE, Some(&right.to_lowercase()), Some(TOKEN)), None);
        assert!(refusal(ELSEWHERE, Some(&right), None).is_some_and(|why| why.contains("--metrics-token")));
        let longer = format!("{right}x");
        for wrong in [
            None,
            Some(""),
            Some("Bearer"),
            Some("Bearer "),
            Some(TOKEN),
            Some(&longer),
        ] {
            assert!(refusal(ELSEWHERE, wrong, Some(TOKEN)).is_some(), "{wrong:?}");
        }
    }
}
