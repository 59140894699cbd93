//! Chooses the metadata process to call: one of the configured URLs, or the owner that one of them named.

use parking_lot::Mutex;
use thiserror::Error;
use url::Url;

/// Why a `--metadata-url` cannot be used.
#[derive(Debug, Error)]
pub enum EndpointError {
    /// The value is not a URL, or is empty.
    #[error("'{0}' is not a metadata URL: use one or more of http://HOST:PORT or https://HOST, separated by commas")]
    Malformed(String),
    /// The HTTP client cannot be created.
    #[error("cannot set up the client of the metadata service: {0}")]
    Client(#[from] reqwest::Error),
    /// The agent key or cluster id is not valid in an HTTP header.
    #[error("{0} contains characters that cannot be sent: copy it again from the cluster's page")]
    Header(&'static str),
}

/// Parses a comma-separated list of `http://` and `https://` URLs.
///
/// # Errors
/// Returns an error that names the first invalid entry.
pub fn parse_metadata_urls(list: &str) -> Result<Vec<Url>, EndpointError> {
    let urls = list
        .split(',')
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .map(|entry| parse_one(entry).ok_or_else(|| EndpointError::Malformed(entry.to_owned())))
        .collect::<Result<Vec<_>, _>>()?;
    if urls.is_empty() {
        return Err(EndpointError::Malformed(list.to_owned()));
    }
    Ok(urls)
}

fn parse_one(entry: &str) -> Option<Url> {
    let mut url = Url::parse(entry).ok()?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Some(url)
}

/// Remembers the process that last responded, so that calls go directly to the owner.
#[derive(Debug)]
pub(crate) struct Endpoints {
    configured: Vec<Url>,
    current: Mutex<Current>,
}

#[derive(Debug)]
struct Current {
    url: Url,
    next_configured: usize,
}

impl Endpoints {
    /// Returns an error if `configured` is empty.
    pub(crate) fn new(configured: Vec<Url>) -> Result<Self, EndpointError> {
        let url = configured
            .first()
            .cloned()
            .ok_or_else(|| EndpointError::Malformed(String::new()))?;
        let next_configured = 1 % configured.len();
        Ok(Self {
            configured,
            current: Mutex::new(Current { url, next_configured }),
        })
    }

    pub(crate) fn current(&self) -> Url {
        self.lock().url.clone()
    }

    /// Switches from `failed` to the next configured URL, unless another call has already done so.
    pub(crate) fn advance_from(&self, failed: &Url) {
        let mut current = self.lock();
        if current.url == *failed
            && let Some(next) = self.configured.get(current.next_configured)
        {
            current.url = next.clone();
            current.next_configured = (current.next_configured + 1) % self.configured.len();
        }
    }

    /// Records that `asked` named `owner` as the cluster's owner. Returns true if that address is usable: it must be a
    /// URL, and must not send the agent key in plaintext if the configured URL is encrypted.
    pub(crate) fn follow(&self, asked: &Url, owner: &str) -> bool {
        let Some(owner) = parse_one(owner) else { return false };
        if asked.scheme() == "https" && owner.scheme() != "https" {
            return false;
        }
        self.lock().url = owner;
        true
    }

    fn lock(&self) -> parking_lot::MutexGuard<'_, Current> {
        self.current.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoints(list: &str) -> Endpoints {
        Endpoints::new(parse_metadata_urls(list).unwrap()).unwrap()
    }

    #[test]
    fn a_list_keeps_its_order_and_allows_spaces() {
        let urls = parse_metadata_urls(" http://a:1 ,https://b, ").unwrap();
        assert_eq!(
            urls.iter().map(Url::as_str).collect::<Vec<_>>(),
            ["http://a:1/", "https://b/"]
        );
    }

    #[test]
    fn refuses_invalid_urls_by_name() {
        for bad in ["", "localhost:7070", "ftp://a", "http://a,nonsense"] {
            assert!(parse_metadata_urls(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_failed_url_is_replaced_by_the_next_once() {
        let endpoints = endpoints("http://a,http://b,http://c");
        let a = endpoints.current();
        endpoints.advance_from(&a);
        endpoints.advance_from(&a);
        assert_eq!(endpoints.current().as_str(), "http://b/");
    }

    #[test]
    fn follows_a_named_owner_until_it_fails() {
        let endpoints = endpoints("http://a,http://b");
        let a = endpoints.current();
        assert!(endpoints.follow(&a, "http://owner:7"));
        assert_eq!(endpoints.current().as_str(), "http://owner:7/");
        endpoints.advance_from(&endpoints.current());
        assert_eq!(endpoints.current().as_str(), "http://b/");
    }

    #[test]
    fn never_follows_from_an_encrypted_to_a_plaintext_url() {
        let endpoints = endpoints("https://a");
        let a = endpoints.current();
        assert!(!endpoints.follow(&a, "http://owner"));
        assert!(!endpoints.follow(&a, "nonsense"));
        assert_eq!(endpoints.current(), a);
    }
}
