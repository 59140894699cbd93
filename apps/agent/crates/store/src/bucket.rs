//! Opens the object store named by `--bucket`: its service, bucket and prefix.

use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{HttpClient, HttpConnector as _, ReqwestConnector};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientOptions, ObjectStore, RetryConfig};
use thiserror::Error;
use url::Url;

use crate::container_credentials::ContainerCredentials;
use crate::error::with_causes;
use crate::kept_credentials::KeptCredentials;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of a request. A data file of a few MiB that takes longer is better retried.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_RETRIES: usize = 5;
/// Suffix of the names of S3 directory buckets.
const DIRECTORY_BUCKET: &str = "--x-s3";

/// How long the client library retries. A landing bucket is given less time, because others can replace it.
#[derive(Debug, Clone, Copy)]
struct RetryPolicy {
    connect: Duration,
    request: Duration,
    retries: usize,
    first_pause: Duration,
}

const STANDARD: RetryPolicy = RetryPolicy {
    connect: CONNECT_TIMEOUT,
    request: REQUEST_TIMEOUT,
    retries: MAX_RETRIES,
    first_pause: Duration::from_millis(100),
};
const LANDING: RetryPolicy = RetryPolicy {
    connect: Duration::from_secs(1),
    request: Duration::from_secs(5),
    retries: 1,
    first_pause: Duration::from_millis(10),
};

/// Why a `--bucket` cannot be used.
#[derive(Debug, Error)]
pub enum BucketError {
    /// The value is not a supported bucket URL.
    #[error(
        "'{0}' is not a bucket URL: use s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or mem://"
    )]
    Malformed(String),
    /// The URL contains a user name or password.
    #[error("the bucket URL must not contain credentials: use the cloud's environment variables or the machine's role")]
    Credentials,
    /// The URL has an unknown query parameter.
    #[error(
        "unknown parameter '{0}' in the bucket URL: the parameters are endpoint and region, and fsync=false for file:// buckets"
    )]
    UnknownParameter(String),
    /// The parameter `fsync` has an invalid value.
    #[error("fsync={0} in the bucket URL is not valid: use fsync=true (the default) or fsync=false")]
    Fsync(String),
    /// The folder of a file:// bucket cannot be created or used.
    #[error("cannot use folder {}: {reason}", .folder.display())]
    Folder {
        /// The path of the folder.
        folder: PathBuf,
        /// The reason given by the operating system.
        reason: String,
    },
    /// The client library cannot be set up.
    #[error("cannot set up object storage: {0}")]
    Client(String),
}

/// Access for S3 requests that the client library does not support.
#[derive(Debug, Clone)]
pub(crate) struct S3Access {
    pub(crate) store: Arc<AmazonS3>,
    pub(crate) http: HttpClient,
}

/// An object store and the prefix of all our objects.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// The object store's client.
    pub store: Arc<dyn ObjectStore>,
    /// The folder named in the URL, or empty.
    pub prefix: Path,
    /// The URL without parameters or credentials, for logs and the metadata service.
    pub url: String,
    /// Access to S3; `None` for other kinds of storage.
    pub(crate) s3: Option<S3Access>,
    /// True for a local or mounted folder.
    pub(crate) is_folder: bool,
}

impl Bucket {
    /// The prefix of a virtual cluster's data files.
    pub(crate) fn data_root(&self, cluster_id: &str) -> Path {
        self.prefix.clone().join("clusters").join(cluster_id).join("data")
    }

    /// A bucket in this store, which `url` names in logs and to the metadata service.
    #[must_use]
    pub fn over(store: Arc<dyn ObjectStore>, url: &str) -> Self {
        Self {
            store,
            prefix: Path::default(),
            url: url.to_owned(),
            s3: None,
            is_folder: false,
        }
    }

    /// Opens the bucket with this URL. Credentials come from the same places as for the cloud's own tools: environment,
    /// web identity, or the machine's metadata service.
    ///
    /// # Errors
    /// Returns an error if the URL is invalid or the client cannot be set up. Sends no request; for that, see
    /// [`crate::self_test`].
    pub fn open(url: &str) -> Result<Self, BucketError> {
        Self::open_with(url, STANDARD)
    }

    /// Like [`Bucket::open`], with shorter retries, because other landing buckets can replace this one.
    ///
    /// # Errors
    /// Returns the same errors as [`Bucket::open`].
    pub fn open_landing(url: &str) -> Result<Self, BucketError> {
        Self::open_with(url, LANDING)
    }

    fn open_with(url: &str, policy: RetryPolicy) -> Result<Self, BucketError> {
        let malformed = || BucketError::Malformed(url.to_owned());
        let parsed = Url::parse(url).map_err(|_| malformed())?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(BucketError::Credentials);
        }
        // The process has one provider; installing it again fails, which is fine.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let prefix = || Path::from_url_path(parsed.path()).map_err(|_| malformed());
        let host = || parsed.host_str().filter(|host| !host.is_empty()).ok_or_else(malformed);
        let mut s3 = None;
        let (store, prefix): (Arc<dyn ObjectStore>, Path) = match parsed.scheme() {
            "s3" => {
                let access = open_s3(host()?, &parsed, policy)?;
                (s3.insert(access).store.clone(), prefix()?)
            }
            "gs" => (Arc::new(open_gcs(host()?, &parsed, policy)?), prefix()?),
            "az" => (Arc::new(open_azure(host()?, &parsed, policy)?), prefix()?),
            "file" => (Arc::new(open_folder(&parsed)?), Path::default()),
            "mem" => (Arc::new(InMemory::new()), prefix()?),
            _ => return Err(malformed()),
        };
        let is_folder = parsed.scheme() == "file";
        let mut shown = parsed;
        shown.set_query(None);
        shown.set_fragment(None);
        Ok(Self {
            store,
            prefix,
            url: shown.to_string().trim_end_matches('/').to_owned(),
            s3,
            is_folder,
        })
    }
}

/// Returns the URL's parameters, or an error for an unknown one.
fn parameters(url: &Url) -> Result<Vec<(String, String)>, BucketError> {
    url.query_pairs()
        .map(|(name, value)| match name.as_ref() {
            "endpoint" | "region" => Ok((name.into_owned(), value.into_owned())),
            _ => Err(BucketError::UnknownParameter(name.into_owned())),
        })
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "AWS's variables work as in AWS's own tools")]
fn open_s3(bucket: &str, url: &Url, policy: RetryPolicy) -> Result<S3Access, BucketError> {
    // AWS's tools also read these two variables, but the builder does not.
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let Ok(endpoint) = std::env::var("AWS_ENDPOINT_URL_S3") {
        builder = builder.with_endpoint(endpoint);
    }
    for (name, value) in parameters(url)? {
        builder = match name.as_str() {
            // Otherwise the variable AWS_ENDPOINT_URL_S3 would take precedence.
            "endpoint" => builder
                .with_endpoint(value.clone())
                .with_config(AmazonS3ConfigKey::S3Endpoint, value),
            _ => builder.with_region(value),
        };
    }
    let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint);
    let cleartext = endpoint
        .as_ref()
        .is_some_and(|endpoint| endpoint.starts_with("http://"));
    if cleartext {
        builder = builder.with_allow_http(true);
    } else {
        // TLS already protects the body, so hashing it again would only use CPU.
        builder = builder.with_unsigned_payload(true);
    }
    if endpoint.is_none() {
        builder = builder.with_virtual_hosted_style_request(true);
        // Requests to directory buckets use session credentials, which the client library renews. Servers with a custom
        // endpoint have no sessions.
        builder = builder.with_s3_express(bucket.ends_with(DIRECTORY_BUCKET));
    }
    let unusable = |error: object_store::Error| BucketError::Client(with_causes(&error));
    let http = ReqwestConnector::default()
        .connect(&client_options(cleartext, policy))
        .map_err(unusable)?;
    let mut builder = builder
        .with_client_options(client_options(cleartext, policy))
        .with_retry(retry_config(policy));
    if let Some(source) = container_credentials(&builder, policy)? {
        builder = builder.with_credentials(Arc::new(source));
    }
    let source = Arc::clone(builder.clone().build().map_err(unusable)?.credentials());
    let store = builder
        .with_credentials(Arc::new(KeptCredentials::new(source)))
        .build()
        .map_err(unusable)?;
    Ok(S3Access {
        store: Arc::new(store),
        http,
    })
}

/// Returns the credentials endpoint of a container platform, if one is configured. Checks the variables in the client
/// library's order.
fn container_credentials(
    builder: &AmazonS3Builder,
    policy: RetryPolicy,
) -> Result<Option<ContainerCredentials>, BucketError> {
    let value = |key: AmazonS3ConfigKey| builder.get_config_value(&key);
    let has_keys =
        value(AmazonS3ConfigKey::AccessKeyId).is_some() || value(AmazonS3ConfigKey::SecretAccessKey).is_some();
    let has_web_identity =
        value(AmazonS3ConfigKey::WebIdentityTokenFile).is_some() && value(AmazonS3ConfigKey::RoleArn).is_some();
    let is_task = value(AmazonS3ConfigKey::ContainerCredentialsRelativeUri).is_some();
    let endpoint = value(AmazonS3ConfigKey::ContainerCredentialsFullUri)
        .zip(value(AmazonS3ConfigKey::ContainerAuthorizationTokenFile));
    let Some((url, token_file)) = endpoint.filter(|_| !has_keys && !has_web_identity && !is_task) else {
        return Ok(None);
    };
    // The platform's endpoint is on this machine.
    let http = ReqwestConnector::default()
        .connect(&client_options(true, policy))
        .map_err(|error| BucketError::Client(with_causes(&error)))?;
    Ok(Some(ContainerCredentials {
        http,
        url,
        token_file,
        last: tokio::sync::Mutex::default(),
    }))
}

fn open_gcs(
    bucket: &str,
    url: &Url,
    policy: RetryPolicy,
) -> Result<object_store::gcp::GoogleCloudStorage, BucketError> {
    let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
    let mut cleartext = false;
    for (name, value) in parameters(url)? {
        if name != "endpoint" {
            return Err(BucketError::UnknownParameter(name));
        }
        cleartext = value.starts_with("http://");
        builder = builder.with_base_url(&value);
    }
    let unusable = |error: object_store::Error| BucketError::Client(with_causes(&error));
    let builder = builder
        .with_client_options(client_options(cleartext, policy))
        .with_retry(retry_config(policy));
    let source = Arc::clone(builder.clone().build().map_err(unusable)?.credentials());
    builder
        .with_credentials(Arc::new(KeptCredentials::new(source)))
        .build()
        .map_err(unusable)
}

fn open_azure(
    container: &str,
    url: &Url,
    policy: RetryPolicy,
) -> Result<object_store::azure::MicrosoftAzure, BucketError> {
    let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(container);
    let mut cleartext = false;
    for (name, value) in parameters(url)? {
        if name != "endpoint" {
            return Err(BucketError::UnknownParameter(name));
        }
        cleartext = value.starts_with("http://");
        builder = builder.with_endpoint(value);
    }
    let unusable = |error: object_store::Error| BucketError::Client(with_causes(&error));
    let builder = builder
        .with_client_options(client_options(cleartext, policy))
        .with_retry(retry_config(policy));
    let source = Arc::clone(builder.clone().build().map_err(unusable)?.credentials());
    builder
        .with_credentials(Arc::new(KeptCredentials::new(source)))
        .build()
        .map_err(unusable)
}

/// Opens a folder as a bucket. With `fsync`, an object and its parent folders are on disk before the write succeeds, as
/// in a cloud's object storage. Without it, they survive a killed process but not a power failure.
fn open_folder(url: &Url) -> Result<LocalFileSystem, BucketError> {
    let mut fsync = true;
    for (name, value) in url.query_pairs() {
        fsync = match (name.as_ref(), value.as_ref()) {
            ("fsync", "true") => true,
            ("fsync", "false") => false,
            ("fsync", other) => return Err(BucketError::Fsync(other.to_owned())),
            (other, _) => return Err(BucketError::UnknownParameter(other.to_owned())),
        };
    }
    let folder = url
        .to_file_path()
        .map_err(|()| BucketError::Malformed(url.to_string()))?;
    let unusable = |reason: String| BucketError::Folder {
        folder: folder.clone(),
        reason,
    };
    create_folder(&folder, fsync).map_err(|error| unusable(error.to_string()))?;
    let store = LocalFileSystem::new_with_prefix(&folder).map_err(|error| unusable(with_causes(&error)))?;
    Ok(store.with_fsync(fsync))
}

/// Creates the folder and its parents. The client library syncs only folders that it creates itself.
#[expect(clippy::disallowed_methods, reason = "a bucket that is a folder")]
fn create_folder(folder: &std::path::Path, fsync: bool) -> io::Result<()> {
    let made: Vec<&std::path::Path> = folder.ancestors().take_while(|ancestor| !ancestor.exists()).collect();
    std::fs::create_dir_all(folder)?;
    if fsync {
        for parent in made.iter().filter_map(|made| made.parent()) {
            File::open(parent)?.sync_all()?;
        }
    }
    Ok(())
}

fn client_options(allow_http: bool, policy: RetryPolicy) -> ClientOptions {
    ClientOptions::new()
        .with_connect_timeout(policy.connect)
        .with_timeout(policy.request)
        .with_allow_http(allow_http)
        .with_user_agent(object_store::HeaderValue::from_static(concat!(
            "penstock/",
            env!("CARGO_PKG_VERSION")
        )))
}

fn retry_config(policy: RetryPolicy) -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: policy.first_pause,
            ..BackoffConfig::default()
        },
        max_retries: policy.retries,
        retry_timeout: RETRY_TIMEOUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_an_invalid_bucket_url_and_lists_the_valid_forms() {
        for bad in ["bucket", "http://bucket", "s3://", "ftp://x", ""] {
            let error = Bucket::open(bad).unwrap_err().to_string();
            assert!(error.contains("s3://BUCKET/PREFIX"), "{bad}: {error}");
        }
    }

    #[test]
    fn refuses_credentials_in_the_url_without_repeating_them() {
        let error = Bucket::open("s3://AKIA:topsecret@bucket/p").unwrap_err();
        assert!(matches!(error, BucketError::Credentials));
        assert!(!error.to_string().contains("topsecret"));
    }

    #[test]
    fn refuses_an_unknown_parameter_by_name() {
        let error = Bucket::open("s3://bucket/p?regoin=eu-1").unwrap_err();
        assert!(matches!(error, BucketError::UnknownParameter(name) if name == "regoin"));
    }

    #[test]
    fn creates_a_folder_and_keeps_the_prefix_of_a_bucket() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("data/files");
        let bucket = Bucket::open(&format!("file://{}", folder.display())).unwrap();
        assert!(folder.is_dir());
        assert_eq!(bucket.prefix, Path::default());
        assert_eq!(
            Bucket::open("mem://x/some/prefix/").unwrap().prefix.as_ref(),
            "some/prefix"
        );
    }

    /// Reads the setting from the debug output, since the client library exposes it nowhere else.
    fn is_fsynced(bucket: &Bucket) -> bool {
        format!("{:?}", bucket.store).contains("fsync: true")
    }

    #[test]
    fn a_folder_is_fsynced_by_default() {
        let parent = tempfile::tempdir().unwrap();
        let url = format!("file://{}/data/files", parent.path().display());
        for (parameters, expected) in [("", true), ("?fsync=true", true), ("?fsync=false", false)] {
            let bucket = Bucket::open(&format!("{url}{parameters}")).unwrap();
            assert_eq!(is_fsynced(&bucket), expected, "{parameters}");
            assert_eq!(bucket.url, url, "agents that differ in it share a bucket");
        }
    }

    #[test]
    fn refuses_invalid_parameters_of_a_folder() {
        let parent = tempfile::tempdir().unwrap();
        let open = |parameters: &str| Bucket::open(&format!("file://{}?{parameters}", parent.path().display()));
        let error = open("fsync=no").unwrap_err();
        assert!(matches!(error, BucketError::Fsync(value) if value == "no"));
        let error = open("region=eu-1").unwrap_err();
        assert!(matches!(error, BucketError::UnknownParameter(name) if name == "region"));
    }

    #[test]
    fn reaches_a_directory_bucket_in_its_zone_with_sessions() {
        let store = |url: &str| format!("{:?}", Bucket::open_landing(url).unwrap().store);
        let directory = store("s3://records--use1-az4--x-s3/prod?region=us-east-1");
        let endpoint = "https://records--use1-az4--x-s3.s3express-use1-az4.us-east-1.amazonaws.com";
        assert!(directory.contains(endpoint), "{directory}");
        assert!(directory.contains("SessionProvider"), "{directory}");
        for other in [
            "s3://records/prod?region=us-east-1",
            "s3://records--use1-az4--x-s3?endpoint=http://127.0.0.1:9&region=us-east-1",
        ] {
            assert!(!store(other).contains("SessionProvider"), "{other}");
        }
    }

    #[test]
    fn the_displayed_url_has_no_parameters() {
        let bucket = Bucket::open("s3://bucket/prefix?endpoint=http://127.0.0.1:9&region=us-east-1").unwrap();
        assert_eq!(bucket.url, "s3://bucket/prefix");
    }
}
