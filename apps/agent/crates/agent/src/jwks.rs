//! Loads the keys of the identity provider (`--oauth-jwks`) and keeps them current.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use penstock_authn::{BearerVerifier, KeySet, KeySetError};
use thiserror::Error;
use tokio::time::{Instant, sleep_until};
use url::Url;

/// Interval between reads of a file.
const FILE_INTERVAL: Duration = Duration::from_secs(2);
/// Interval between fetches of a URL, as in Kafka.
const URL_INTERVAL: Duration = Duration::from_secs(3600);
/// Pause before a retry after a failure.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// Minimum time between fetches, even if tokens name unknown keys.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(10);
const FETCH_TIMEOUT: Duration = Duration::from_secs(10);
const MAX_BYTES: usize = 1 << 20;

/// The configured source of the JSON Web Key Set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// A local file, from `file:///…`.
    File(PathBuf),
    /// An HTTPS address, from `https://…`.
    Address(Url),
}

/// The value is not a supported key source.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("use https://… or file:///…; http:// only for this machine")]
pub struct BadKeySource;

/// Why the keys cannot be loaded.
#[derive(Debug, Error)]
pub(crate) enum KeysError {
    #[error("cannot read {}: {source}", .file.display())]
    Read { file: PathBuf, source: std::io::Error },
    #[error("cannot fetch {url}: {source}")]
    Fetch { url: Url, source: reqwest::Error },
    #[error("the answer of {0} is larger than {MAX_BYTES} bytes")]
    TooLarge(Url),
    #[error(transparent)]
    Set(#[from] KeySetError),
}

impl FromStr for KeySource {
    type Err = BadKeySource;

    fn from_str(value: &str) -> Result<Self, BadKeySource> {
        let url = Url::parse(value).map_err(|_| BadKeySource)?;
        let is_of_this_machine = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        match url.scheme() {
            "file" => url.to_file_path().map(Self::File).map_err(|()| BadKeySource),
            "https" => Ok(Self::Address(url)),
            "http" if is_of_this_machine => Ok(Self::Address(url)),
            _ => Err(BadKeySource),
        }
    }
}

/// Reads keys from the source.
#[derive(Debug, Clone)]
pub(crate) struct Keys {
    source: KeySource,
    client: reqwest::Client,
}

impl Keys {
    /// # Errors
    /// Returns an error if this machine has no trusted root certificates.
    #[expect(
        clippy::disallowed_methods,
        reason = "keys come from the identity provider, which no simulation has"
    )]
    pub(crate) fn new(source: KeySource) -> Result<Self, reqwest::Error> {
        // Fails if a provider is already installed, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(FETCH_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { source, client })
    }

    /// Loads the keys that are currently published.
    #[expect(clippy::disallowed_methods, reason = "the operator's file of keys")]
    pub(crate) async fn load(&self) -> Result<KeySet, KeysError> {
        let json = match &self.source {
            KeySource::File(file) => tokio::fs::read(file).await.map_err(|source| KeysError::Read {
                file: file.clone(),
                source,
            })?,
            KeySource::Address(url) => self.fetch(url).await?,
        };
        Ok(KeySet::read(&json)?)
    }

    async fn fetch(&self, url: &Url) -> Result<Vec<u8>, KeysError> {
        let failed = |source| KeysError::Fetch {
            url: url.clone(),
            source,
        };
        let response = self.client.get(url.clone()).send().await.map_err(failed)?;
        let mut response = response.error_for_status().map_err(failed)?;
        let mut json = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            json.extend_from_slice(&chunk);
            if json.len() > MAX_BYTES {
                return Err(KeysError::TooLarge(url.clone()));
            }
        }
        Ok(json)
    }

    /// Refreshes the verifier's keys until it is dropped. While the source is unreadable, the last keys stay valid.
    pub(crate) async fn follow(self, verifier: Arc<BearerVerifier>, mut is_loaded: bool) {
        let interval = match self.source {
            KeySource::File(_) => FILE_INTERVAL,
            KeySource::Address(_) => URL_INTERVAL,
        };
        loop {
            let last = Instant::now();
            let due = last
                + if is_loaded {
                    interval
                } else {
                    interval.min(RETRY_INTERVAL)
                };
            tokio::select! {
                () = sleep_until(due) => {}
                () = verifier.key_missed() => sleep_until(last + interval.min(SHORTEST_INTERVAL)).await,
            }
            let was_loaded = is_loaded;
            is_loaded = match self.load().await {
                Ok(keys) => {
                    verifier.set_keys(keys);
                    true
                }
                Err(error) => {
                    if was_loaded {
                        tracing::error!(%error, "cannot read the keys of --oauth-jwks; tokens are still checked by the former ones");
                    }
                    false
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_keys_from_a_file_or_over_tls() {
        let parsed = |value: &str| value.parse::<KeySource>();
        assert_eq!(
            parsed("file:///etc/jwks.json"),
            Ok(KeySource::File("/etc/jwks.json".into()))
        );
        assert!(parsed("https://issuer.example/keys").is_ok());
        assert!(parsed("http://127.0.0.1:8080/keys").is_ok());
        for bad in [
            "",
            "/etc/jwks.json",
            "http://issuer.example/keys",
            "ftp://issuer.example",
        ] {
            assert_eq!(parsed(bad), Err(BadKeySource), "{bad}");
        }
    }
}
