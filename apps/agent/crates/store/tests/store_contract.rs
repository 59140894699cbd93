//! The stores that agents and their tests use pass one contract. The fake of the agents' simulation passes it in
//! e2e/agent-sim.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

mod contract;

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use contract::Differences;
use object_store::aws::AmazonS3Builder;
use object_store::{ClientOptions, ObjectStore};
use penstock_store::Bucket;

const START_TIMEOUT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn a_store_in_memory_passes() {
    let bucket = Bucket::open("mem://").unwrap();
    contract::check(&bucket.store, Differences::default()).await;
}

#[tokio::test]
async fn a_folder_passes() {
    let folder = tempfile::tempdir().unwrap();
    for fsync in [true, false] {
        let url = format!("file://{}/{fsync}?fsync={fsync}", folder.path().display());
        let differences = Differences {
            lacks_conditional_replace: true,
            reports_missing_on_delete: true,
            ..Default::default()
        };
        contract::check(&Bucket::open(&url).unwrap().store, differences).await;
    }
}

#[tokio::test]
async fn an_s3_server_passes() {
    let server = S3Server::start();
    let differences = Differences {
        refuses_suffix_of_empty: true,
        ..Default::default()
    };
    contract::check(&server.store(), differences).await;
}

/// An S3 server over a folder.
struct S3Server {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl S3Server {
    fn start() -> Self {
        let program = program();
        let folder = tempfile::tempdir().unwrap();
        // A folder is a bucket.
        std::fs::create_dir(folder.path().join("bucket")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = Command::new(&program)
            .args(["--access", "test", "--secret", "test-secret", "--port"])
            .arg(format!("127.0.0.1:{port}"))
            .arg("posix")
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            process,
            port,
            _folder: folder,
        };
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < START_TIMEOUT, "the S3 server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        server
    }

    /// A client with the settings of [`Bucket::open`], which takes its keys from the process's environment.
    fn store(&self) -> Arc<dyn ObjectStore> {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let store = AmazonS3Builder::new()
            .with_bucket_name("bucket")
            .with_endpoint(format!("http://127.0.0.1:{}", self.port))
            .with_access_key_id("test")
            .with_secret_access_key("test-secret")
            .with_region("us-east-1")
            .with_client_options(ClientOptions::new().with_allow_http(true))
            .build();
        Arc::new(store.unwrap())
    }
}

impl Drop for S3Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The server as infra/local/tools.ts installs it.
fn program() -> PathBuf {
    let cache = std::env::var_os("PENSTOCK_TOOLS").map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
    let cache = cache.unwrap_or_else(|| home().join(".cache/penstock-tools"));
    let installed = std::fs::read_dir(&cache).into_iter().flatten().flatten();
    let programs = installed
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("versitygw-v"))
        .map(|entry| entry.path().join("versitygw"))
        .filter(|program| program.is_file());
    programs.max().unwrap_or_else(|| {
        let cache = cache.display();
        panic!("there is no versitygw in {cache}: `node infra/local/ensure-test-tools.ts` installs it")
    })
}
