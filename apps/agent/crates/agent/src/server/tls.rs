//! The TLS identity of a listener, reloaded when its files change, and the principals of clients with certificates.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use penstock_authn::{BadCertificate, PrincipalRules, subject};
use penstock_authz::Principal;
use penstock_runtime::run_blocking;
use ring::digest::{self, Digest, SHA256};
use rustls::crypto::{CryptoProvider, ring as ring_provider};
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, PrivateKeyDer};
use rustls::server::danger::ClientCertVerifier;
use rustls::server::{VerifierBuilderError, WebPkiClientVerifier};
use rustls::version::{TLS12, TLS13};
use rustls::{RootCertStore, ServerConfig};
use thiserror::Error;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use crate::listener_option::{ClientCertificate, TlsFiles};

/// Interval between checks of the files.
const RELOAD_INTERVAL: Duration = Duration::from_secs(2);

/// Why the files cannot be used. Each message names the file.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum TlsError {
    #[error("cannot read {}: {source}", .file.display())]
    Read { file: PathBuf, source: io::Error },
    #[error("{} is not a PEM file with certificates: {source}", .file.display())]
    Certificates { file: PathBuf, source: pem::Error },
    #[error("{} holds no certificate (BEGIN CERTIFICATE)", .0.display())]
    NoCertificate(PathBuf),
    #[error("{} is not a PEM file with a private key that has no passphrase: {source}", .file.display())]
    Key { file: PathBuf, source: pem::Error },
    #[error("{} and {} cannot be used together: {source}", .certificate.display(), .key.display())]
    Pair {
        certificate: PathBuf,
        key: PathBuf,
        source: rustls::Error,
    },
    #[error("{} is not a PEM file with certificate revocation lists: {source}", .file.display())]
    RevocationLists { file: PathBuf, source: pem::Error },
    #[error("{} holds no certificate revocation list (BEGIN X509 CRL)", .0.display())]
    NoRevocationList(PathBuf),
    #[error("{} cannot verify client certificates: {source}", .file.display())]
    ClientCa {
        file: PathBuf,
        source: VerifierBuilderError,
    },
    #[error("{} holds a certificate that cannot issue client certificates: {source}", .file.display())]
    Issuer { file: PathBuf, source: rustls::Error },
}

/// Why a valid certificate yields no principal.
#[derive(Debug, Error)]
pub(super) enum PrincipalError {
    #[error(transparent)]
    Certificate(#[from] BadCertificate),
    #[error("no rule of --tls-principal-rules gives the certificate {0:?} a name")]
    NoName(String),
}

/// The certificate that a listener presents, and what it requires of clients.
pub struct TlsIdentity {
    files: TlsFiles,
    rules: PrincipalRules,
    current: watch::Sender<Arc<Current>>,
    last_attempt: Mutex<Attempt>,
}

/// The configuration loaded from the files.
pub(super) struct Current {
    /// The configuration for new connections.
    pub(super) config: Arc<ServerConfig>,
    client_ca: Option<ClientCa>,
}

#[derive(Clone)]
struct ClientCa {
    contents: ClientCaContents,
    verifier: Arc<dyn ClientCertVerifier>,
}

impl Current {
    /// The verifier of client certificates; `None` if none are requested. Stays the same object while the authority and
    /// revocation files are unchanged.
    pub(super) fn client_verifier(&self) -> Option<&Arc<dyn ClientCertVerifier>> {
        self.client_ca.as_ref().map(|ca| &ca.verifier)
    }
}

/// The last attempt to load changed files.
struct Attempt {
    fingerprint: Option<Digest>,
    /// True if a failure was seen once but not logged yet: the other file of a pair may be about to be replaced.
    is_unreported: bool,
}

impl fmt::Debug for TlsIdentity {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("TlsIdentity")
            .field("files", &self.files)
            .finish_non_exhaustive()
    }
}

impl TlsIdentity {
    /// Loads the files.
    ///
    /// # Errors
    /// Returns an error if a file is missing or invalid, or if the key does not match the certificate.
    pub fn load(files: TlsFiles, rules: PrincipalRules) -> Result<Arc<Self>, TlsError> {
        let contents = Contents::read(&files)?;
        let current = contents.load(&files, None)?;
        Ok(Arc::new(Self {
            last_attempt: Mutex::new(Attempt {
                fingerprint: Some(contents.fingerprint()),
                is_unreported: false,
            }),
            files,
            rules,
            current: watch::Sender::new(Arc::new(current)),
        }))
    }

    /// Subscribes to changes of the loaded configuration.
    pub(super) fn subscribe(&self) -> watch::Receiver<Arc<Current>> {
        self.current.subscribe()
    }

    /// Returns the client's principal from its certificate; `None` if it presented none.
    pub(super) fn principal(
        &self,
        certificates: Option<&[CertificateDer<'_>]>,
    ) -> Result<Option<Principal>, PrincipalError> {
        let Some(certificate) = certificates.and_then(<[_]>::first) else {
            return Ok(None);
        };
        let subject = subject(certificate)?;
        let name = self.rules.name(&subject).ok_or(PrincipalError::NoName(subject))?;
        Ok(Some(Principal::user(&name)))
    }

    /// Watches the files until dropped. Open connections continue, except for clients whose certificates the new
    /// authorities did not issue.
    pub async fn follow(self: Arc<Self>) {
        let mut ticks = interval(RELOAD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let identity = Arc::clone(&self);
            // The files may be on a slow disk.
            if let Err(error) = run_blocking(move || identity.reload()).await {
                tracing::error!(%error, "cannot check the certificate files");
            }
        }
    }

    /// Loads the files if they changed and match. Otherwise keeps the current ones, and logs the error if it persists
    /// for two checks.
    pub fn reload(&self) {
        let contents = Contents::read(&self.files);
        let fingerprint = contents.as_ref().ok().map(Contents::fingerprint);
        let mut last = self.last_attempt.lock();
        let is_same = match (&last.fingerprint, &fingerprint) {
            (Some(before), Some(now)) => before.as_ref() == now.as_ref(),
            (None, None) => true,
            _ => false,
        };
        if is_same && !last.is_unreported {
            return;
        }
        last.fingerprint = fingerprint;
        let before = Arc::clone(&self.current.borrow());
        match contents.and_then(|contents| contents.load(&self.files, before.client_ca.as_ref())) {
            Ok(current) => {
                last.is_unreported = false;
                self.current.send_replace(Arc::new(current));
                tracing::info!(certificate = %self.files.certificate.display(), "loaded new certificate files");
            }
            Err(_) if !is_same => last.is_unreported = true,
            Err(error) => {
                last.is_unreported = false;
                tracing::error!(%error, "cannot load the new certificate files; connections still use the old ones");
            }
        }
    }
}

struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<ClientCaContents>,
}

#[derive(Clone, PartialEq, Eq)]
struct ClientCaContents {
    issuers: Vec<u8>,
    revocation_lists: Option<Vec<u8>>,
}

impl Contents {
    #[expect(clippy::disallowed_methods, reason = "the operator's certificate files")]
    fn read(files: &TlsFiles) -> Result<Self, TlsError> {
        let read = |file: &Path| {
            std::fs::read(file).map_err(|source| TlsError::Read {
                file: file.to_owned(),
                source,
            })
        };
        Ok(Self {
            certificate: read(&files.certificate)?,
            key: read(&files.key)?,
            client_ca: match &files.client_ca {
                Some((file, _)) => Some(ClientCaContents {
                    issuers: read(file)?,
                    revocation_lists: files.client_crl.as_deref().map(read).transpose()?,
                }),
                None => None,
            },
        })
    }

    fn fingerprint(&self) -> Digest {
        let mut context = digest::Context::new(&SHA256);
        let client_ca = self.client_ca.iter();
        let of_clients = client_ca.flat_map(|ca| std::iter::once(&ca.issuers).chain(&ca.revocation_lists));
        for part in [&self.certificate, &self.key].into_iter().chain(of_clients) {
            context.update(&part.len().to_be_bytes());
            context.update(part);
        }
        context.finish()
    }

    /// Loads the files. Reuses `before` if it was made from the same contents.
    fn load(&self, files: &TlsFiles, before: Option<&ClientCa>) -> Result<Current, TlsError> {
        let provider = Arc::new(ring_provider::default_provider());
        let chain = certificates(&files.certificate, &self.certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|source| TlsError::Key {
            file: files.key.clone(),
            source,
        })?;
        let pair = |source| TlsError::Pair {
            certificate: files.certificate.clone(),
            key: files.key.clone(),
            source,
        };
        let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&TLS13, &TLS12])
            .map_err(pair)?;
        let client_ca = match (&files.client_ca, &self.client_ca) {
            (Some(authorities), Some(contents)) => Some(match before {
                Some(before) if before.contents == *contents => before.clone(),
                _ => ClientCa {
                    verifier: client_verifier(authorities, files.client_crl.as_deref(), contents, provider)?,
                    contents: contents.clone(),
                },
            }),
            _ => None,
        };
        let builder = match &client_ca {
            Some(ca) => builder.with_client_cert_verifier(Arc::clone(&ca.verifier)),
            None => builder.with_no_client_auth(),
        };
        // This also checks that the key matches the certificate.
        let config = Arc::new(builder.with_single_cert(chain, key).map_err(pair)?);
        Ok(Current { config, client_ca })
    }
}

fn certificates(file: &Path, contents: &[u8]) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let certificates: Vec<_> = CertificateDer::pem_slice_iter(contents)
        .collect::<Result<_, _>>()
        .map_err(|source| TlsError::Certificates {
            file: file.to_owned(),
            source,
        })?;
    match certificates.is_empty() {
        true => Err(TlsError::NoCertificate(file.to_owned())),
        false => Ok(certificates),
    }
}

fn revocation_lists(file: &Path, contents: &[u8]) -> Result<Vec<CertificateRevocationListDer<'static>>, TlsError> {
    let lists: Vec<_> = CertificateRevocationListDer::pem_slice_iter(contents)
        .collect::<Result<_, _>>()
        .map_err(|source| TlsError::RevocationLists {
            file: file.to_owned(),
            source,
        })?;
    match lists.is_empty() {
        true => Err(TlsError::NoRevocationList(file.to_owned())),
        false => Ok(lists),
    }
}

/// Creates the verifier of client certificates. With revocation lists, no certificate of a chain below its root may be
/// revoked, and each issuer must have a list that has not expired, as in OpenSSL: a missing or outdated list says
/// nothing about later revocations (RFC 5280, section 6.3.3).
fn client_verifier(
    (file, demand): &(PathBuf, ClientCertificate),
    crl_file: Option<&Path>,
    contents: &ClientCaContents,
    provider: Arc<CryptoProvider>,
) -> Result<Arc<dyn ClientCertVerifier>, TlsError> {
    let mut issuers = RootCertStore::empty();
    for issuer in certificates(file, &contents.issuers)? {
        issuers.add(issuer).map_err(|source| TlsError::Issuer {
            file: file.to_owned(),
            source,
        })?;
    }
    let mut builder = WebPkiClientVerifier::builder_with_provider(Arc::new(issuers), provider);
    if let (Some(crl_file), Some(contents)) = (crl_file, &contents.revocation_lists) {
        builder = builder
            .with_crls(revocation_lists(crl_file, contents)?)
            .enforce_revocation_expiration();
    }
    let builder = match demand {
        ClientCertificate::Required => builder,
        ClientCertificate::Optional => builder.allow_unauthenticated(),
    };
    builder.build().map_err(|source| TlsError::ClientCa {
        file: match source {
            VerifierBuilderError::InvalidCrl(_) => crl_file.unwrap_or(file).to_owned(),
            _ => file.to_owned(),
        },
        source,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rcgen::{CertifiedKey, generate_simple_self_signed};

    use super::*;

    struct Files {
        folder: tempfile::TempDir,
        files: TlsFiles,
    }

    fn config(identity: &TlsIdentity) -> Arc<ServerConfig> {
        Arc::clone(&identity.current.borrow().config)
    }

    fn pair() -> (String, String) {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
        (cert.pem(), signing_key.serialize_pem())
    }

    fn files(certificate: &str, key: &str) -> Files {
        let folder = tempfile::tempdir().unwrap();
        let files = TlsFiles {
            certificate: folder.path().join("cert.pem"),
            key: folder.path().join("key.pem"),
            client_ca: None,
            client_crl: None,
        };
        fs::write(&files.certificate, certificate).unwrap();
        fs::write(&files.key, key).unwrap();
        Files { folder, files }
    }

    #[test]
    fn loads_a_new_pair_only_when_both_files_match() {
        let ((old_certificate, old_key), (certificate, key)) = (pair(), pair());
        let on_disk = files(&old_certificate, &old_key);
        let identity = TlsIdentity::load(on_disk.files.clone(), PrincipalRules::default()).unwrap();
        let before = config(&identity);
        identity.reload();
        assert!(Arc::ptr_eq(&before, &config(&identity)), "nothing has changed");
        fs::write(&on_disk.files.certificate, certificate).unwrap();
        for _ in 0..3 {
            identity.reload();
            assert!(
                Arc::ptr_eq(&before, &config(&identity)),
                "the key is not the certificate's"
            );
        }
        fs::write(&on_disk.files.key, key).unwrap();
        identity.reload();
        assert!(!Arc::ptr_eq(&before, &config(&identity)));
    }

    #[test]
    fn keeps_the_certificate_while_its_files_are_unusable() {
        let (certificate, key) = pair();
        let on_disk = files(&certificate, &key);
        let identity = TlsIdentity::load(on_disk.files.clone(), PrincipalRules::default()).unwrap();
        let before = config(&identity);
        fs::write(&on_disk.files.certificate, "nothing").unwrap();
        identity.reload();
        fs::remove_file(&on_disk.files.key).unwrap();
        identity.reload();
        identity.reload();
        assert!(Arc::ptr_eq(&before, &config(&identity)));
    }

    #[test]
    fn startup_fails_with_unusable_files_and_names_them() {
        let ((certificate, key), (_, other_key)) = (pair(), pair());
        let error = |certificate: &str, key: &str| {
            let on_disk = files(certificate, key);
            let error = TlsIdentity::load(on_disk.files, PrincipalRules::default()).unwrap_err();
            error
                .to_string()
                .replace(&on_disk.folder.path().display().to_string(), "")
        };
        assert_eq!(
            error(&certificate, &other_key),
            "/cert.pem and /key.pem cannot be used together: keys may not be consistent: KeyMismatch"
        );
        let on_disk = files(&certificate, &key);
        let with_crl = TlsFiles {
            client_ca: Some((on_disk.files.certificate.clone(), ClientCertificate::Required)),
            client_crl: Some(on_disk.files.key.clone()),
            ..on_disk.files.clone()
        };
        let refused = TlsIdentity::load(with_crl, PrincipalRules::default()).unwrap_err();
        assert!(
            refused
                .to_string()
                .ends_with("key.pem holds no certificate revocation list (BEGIN X509 CRL)")
        );
        assert!(error("", &key).starts_with("/cert.pem holds no certificate"));
        assert!(error(&certificate, "").starts_with("/key.pem is not a PEM file with a private key"));
        let missing = TlsFiles {
            certificate: "/nowhere/cert.pem".into(),
            key: "/nowhere/key.pem".into(),
            client_ca: None,
            client_crl: None,
        };
        let error = TlsIdentity::load(missing, PrincipalRules::default()).unwrap_err();
        assert!(error.to_string().starts_with("cannot read /nowhere/cert.pem: "));
    }
}
