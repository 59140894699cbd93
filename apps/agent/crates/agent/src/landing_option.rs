//! Parses `--landing-bucket`: the zone and URL of a landing bucket.

use std::collections::HashSet;
use std::str::FromStr;

use penstock_store::{Bucket, BucketError, LANDED_COPIES, LandingBucket};
use thiserror::Error;
use url::Url;

/// Why landing buckets are refused. Each message says what to write instead.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum LandingError {
    #[error("{0:?} is not ZONE=URL, such as use1-az4=s3://records--use1-az4--x-s3")]
    Malformed(String),
    #[error("zone {0} has two landing buckets: set one for each zone")]
    Twice(String),
    #[error("{0} is set twice: each landing bucket must be a bucket of its own, and not the one of --bucket")]
    SameBucket(String),
    #[error(
        "a file lands in two buckets of different zones: set --landing-bucket for two zones at least, better for three"
    )]
    TooFew,
    #[error("{zone}: {error}")]
    Bucket { zone: String, error: BucketError },
}

/// A configured landing bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandingOption {
    /// The zone of the bucket.
    pub zone: String,
    /// The URL of the bucket.
    pub url: String,
}

impl FromStr for LandingOption {
    type Err = LandingError;

    fn from_str(text: &str) -> Result<Self, LandingError> {
        match text.split_once('=') {
            Some((zone, url)) if !zone.is_empty() && url.contains(':') => Ok(Self {
                zone: zone.to_owned(),
                url: url.to_owned(),
            }),
            _ => Err(LandingError::Malformed(text.to_owned())),
        }
    }
}

/// Identifies a bucket, ignoring the prefix. Returns `None` for `mem://`, since each is a bucket of its own.
fn identity(url: &str) -> Option<(String, String)> {
    let url = Url::parse(url).ok().filter(|url| url.scheme() != "mem")?;
    let place = match url.scheme() {
        "file" => url.path().trim_end_matches('/').to_owned(),
        _ => url.host_str().unwrap_or_default().to_owned(),
    };
    let endpoint = url.query_pairs().find(|(name, _)| name == "endpoint");
    let endpoint = endpoint.map(|(_, value)| value.into_owned()).unwrap_or_default();
    Some((format!("{}://{place}", url.scheme()), endpoint))
}

/// Opens all landing buckets without sending requests. `standard` is the URL of the standard bucket.
///
/// # Errors
/// Returns an error unless each is a separate bucket in a separate zone: two files in one bucket would count as two
/// copies.
pub(crate) fn open_landing(options: &[LandingOption], standard: &str) -> Result<Vec<LandingBucket>, LandingError> {
    let mut zones = HashSet::new();
    if let Some(twice) = options.iter().find(|option| !zones.insert(&option.zone)) {
        return Err(LandingError::Twice(twice.zone.clone()));
    }
    if !options.is_empty() && options.len() < LANDED_COPIES {
        return Err(LandingError::TooFew);
    }
    let mut buckets: HashSet<_> = identity(standard).into_iter().collect();
    let mut is_taken = |url: &str| identity(url).is_some_and(|identity| !buckets.insert(identity));
    if let Some(twice) = options.iter().find(|option| is_taken(&option.url)) {
        return Err(LandingError::SameBucket(twice.url.clone()));
    }
    let opened = options.iter().map(|LandingOption { zone, url }| {
        let bucket = Bucket::open_landing(url).map_err(|error| LandingError::Bucket {
            zone: zone.clone(),
            error,
        })?;
        Ok(LandingBucket {
            zone: zone.clone(),
            bucket,
        })
    });
    opened.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(texts: &[&str]) -> Result<Vec<LandingBucket>, LandingError> {
        let options: Result<Vec<LandingOption>, _> = texts.iter().map(|text| text.parse()).collect();
        open_landing(&options?, "s3://standard")
    }

    #[test]
    fn each_zone_has_a_bucket_whose_url_can_have_parameters() {
        let opened = open(&["a=s3://x/p?region=eu-1&endpoint=http://127.0.0.1:9", "b=mem://b"]).unwrap();
        assert_eq!(
            (opened[0].zone.as_str(), opened[0].bucket.url.as_str()),
            ("a", "s3://x/p")
        );
        assert_eq!(opened[1].zone, "b");
        assert!(open(&[]).unwrap().is_empty());
    }

    #[test]
    fn refuses_invalid_values_with_a_correction() {
        for (texts, expected) in [
            (&["s3://bucket"][..], "ZONE=URL"),
            (&["=s3://bucket"], "ZONE=URL"),
            (&["a="], "ZONE=URL"),
            (&["a=mem://"], "two zones at least"),
            (&["a=mem://", "a=mem://"], "zone a has two"),
            (&["a=mem://", "b=ftp://x"], "b: 'ftp://x' is not a bucket URL"),
            (
                &["a=s3://x/p", "b=s3://x/q?region=eu-1"],
                "s3://x/q?region=eu-1 is set twice",
            ),
            (&["a=s3://x", "b=s3://standard/p"], "not the one of --bucket"),
            (&["a=file:///d", "b=file:///d/"], "is set twice"),
        ] {
            let error = open(texts).unwrap_err().to_string();
            assert!(error.contains(expected), "{texts:?}: {error}");
        }
    }
}
