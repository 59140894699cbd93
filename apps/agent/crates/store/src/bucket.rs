//! From `--bucket` to an object store: which service, which bucket, which prefix.

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
/// One request; a data file of a few MiB that takes longer than this is better tried again.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
const RETRY_TIMEOUT: Duration = Duration::from_secs(20);
const MAX_RETRIES: usize = 5;
/// How names of S3 directory buckets end.
const DIRECTORY_BUCKET: &str = "--x-s3";

/// How long the client library tries. A landing bucket that does not answer soon is of no use: there are others.
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

/// A `--bucket` that cannot be used.
#[derive(Debug, Error)]
pub enum BucketError {
    /// Not a URL of a form that we know.
    #[error(
        "'{0}' is not a bucket URL: use s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or mem://"
    )]
    Malformed(String),
    /// The URL holds a user name or password.
    #[error("the bucket URL must not contain credentials: use the cloud's environment variables or the machine's role")]
    Credentials,
    /// A query parameter that we do not know.
    #[error(
        "unknown parameter '{0}' in the bucket URL: the parameters are endpoint and region, and fsync=false for file:// buckets"
    )]
    UnknownParameter(String),
    /// A parameter has a value that we do not know.
    #[error("fsync={0} in the bucket URL is not valid: use fsync=true (the default) or fsync=false")]
    Fsync(String),
    /// The folder of a file:// bucket cannot be made or used.
    #[error("cannot use folder {}: {reason}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The object store's client could not be set up.
    #[error("cannot set up object storage: {0}")]
    Client(String),
}

/// For requests to S3 that the client library has no call for.
#[derive(Debug, Clone)]
pub(crate) struct S3Access {
    pub(crate) store: Arc<AmazonS3>,
    pub(crate) http: HttpClient,
}

/// Object storage, and the prefix below which everything of ours lies.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// The client.
    pub store: Arc<dyn ObjectStore>,
    /// Empty, or the folder named in the URL.
    pub prefix: Path,
    /// The URL without parameters, for logs and for the metadata service. Holds no credentials.
    pub url: String,
    /// None for other kinds of storage.
    pub(crate) s3: Option<S3Access>,
    /// A folder of this machine, or one that is mounted.
    pub(crate) is_folder: bool,
}

impl Bucket {
    /// Where the data files of a virtual cluster lie.
    pub(crate) fn data_root(&self, cluster_id: &str) -> Path {
        self.prefix.clone().join("clusters").join(cluster_id).join("data")
    }

    /// Opens the bucket that `url` names. Credentials come from where the cloud's own tools look for them: environment,
    /// web identity, or the machine's metadata service.
    ///
    /// # Errors
    /// The URL is none of ours, or the client cannot be set up. Nothing is sent yet: see [`crate::self_test`].
    pub fn open(url: &str) -> Result<Self, BucketError> {
        Self::open_with(url, STANDARD)
    }

    /// The same for a landing bucket, of which there are others: requests are given up sooner.
    ///
    /// # Errors
    /// As [`Bucket::open`].
    pub fn open_landing(url: &str) -> Result<Self, BucketError> {
        Self::open_with(url, LANDING)
    }

    fn open_with(url: &str, policy: RetryPolicy) -> Result<Self, BucketError> {
        let malformed = || BucketError::Malformed(url.to_owned());
        let parsed = Url::parse(url).map_err(|_| malformed())?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(BucketError::Credentials);
        }
        // One provider for the whole process; installing it again fails, which is fine.
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

/// The URL's parameters, refused unless known.
fn parameters(url: &Url) -> Result<Vec<(String, String)>, BucketError> {
    url.query_pairs()
        .map(|(name, value)| match name.as_ref() {
            "endpoint" | "region" => Ok((name.into_owned(), value.into_owned())),
            _ => Err(BucketError::UnknownParameter(name.into_owned())),
        })
        .collect()
}

fn open_s3(bucket: &str, url: &Url, policy: RetryPolicy) -> Result<S3Access, BucketError> {
    // AWS's tools know these two besides what the builder reads.
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    if let Ok(endpoint) = std::env::var("AWS_ENDPOINT_URL_S3") {
        builder = builder.with_endpoint(endpoint);
    }
    for (name, value) in parameters(url)? {
        builder = match name.as_str() {
            // The variable AWS_ENDPOINT_URL_S3 would come first otherwise.
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
        // TLS protects the body already; hashing it once more would cost the agent's CPU.
        builder = builder.with_unsigned_payload(true);
    }
    if endpoint.is_none() {
        builder = builder.with_virtual_hosted_style_request(true);
        // Requests to directory buckets carry the credentials of a session, which the client library renews; a server that is named by its
        // endpoint has none.
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

/// The endpoint of a container's platform, if that is where the credentials come from. The order is the client library's.
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

/// With `fsync` an object and the folders above it are on the disk before it counts as written, as a cloud's object storage promises;
/// without it they survive a killed process, but not a power cut.
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

/// Makes the folder and those above it. The client library syncs only folders that it makes itself.
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
    fn what_is_no_bucket_url_is_refused_with_the_forms_that_are() {
        for bad in ["bucket", "http://bucket", "s3://", "ftp://x", ""] {
            let error = Bucket::open(bad).unwrap_err().to_string();
            assert!(error.contains("s3://BUCKET/PREFIX"), "{bad}: {error}");
        }
    }

    #[test]
    fn credentials_in_the_url_are_refused_and_not_repeated() {
        let error = Bucket::open("s3://AKIA:topsecret@bucket/p").unwrap_err();
        assert!(matches!(error, BucketError::Credentials));
        assert!(!error.to_string().contains("topsecret"));
    }

    #[test]
    fn an_unknown_parameter_is_refused_by_name() {
        let error = Bucket::open("s3://bucket/p?regoin=eu-1").unwrap_err();
        assert!(matches!(error, BucketError::UnknownParameter(name) if name == "regoin"));
    }

    #[test]
    fn a_folder_is_made_and_the_prefix_of_a_bucket_is_kept() {
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

    /// The client library shows the setting nowhere else.
    fn is_fsynced(bucket: &Bucket) -> bool {
        format!("{:?}", bucket.store).contains("fsync: true")
    }

    #[test]
    fn a_folder_is_fsynced_unless_told_otherwise() {
        let parent = tempfile::tempdir().unwrap();
        let url = format!("file://{}/data/files", parent.path().display());
        for (parameters, expected) in [("", true), ("?fsync=true", true), ("?fsync=false", false)] {
            let bucket = Bucket::open(&format!("{url}{parameters}")).unwrap();
            assert_eq!(is_fsynced(&bucket), expected, "{parameters}");
            assert_eq!(bucket.url, url, "agents that differ in it share a bucket");
        }
    }

    #[test]
    fn what_a_folder_cannot_be_told_is_refused() {
        let parent = tempfile::tempdir().unwrap();
        let open = |parameters: &str| Bucket::open(&format!("file://{}?{parameters}", parent.path().display()));
        let error = open("fsync=no").unwrap_err();
        assert!(matches!(error, BucketError::Fsync(value) if value == "no"));
        let error = open("region=eu-1").unwrap_err();
        assert!(matches!(error, BucketError::UnknownParameter(name) if name == "region"));
    }

    #[test]
    fn a_directory_bucket_is_known_by_its_name_and_reached_in_its_zone_by_sessions() {
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
    fn the_shown_url_has_no_parameters() {
        let bucket = Bucket::open("s3://bucket/prefix?endpoint=http://127.0.0.1:9&region=us-east-1").unwrap();
        assert_eq!(bucket.url, "s3://bucket/prefix");
    }
}
