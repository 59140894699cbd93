//! The certificate of a client while its connection is open. It is verified again when it expires, and when the listener's files name other
//! authorities or revocation lists, so that neither takes effect only at the client's next connection.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use penstock_authn::valid_until;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};

use super::tls::Current;

/// A certificate is verified at least this often, in case the machine's clock was changed or the machine was suspended.
const MAX_VERIFY_INTERVAL: Duration = Duration::from_secs(3600);
/// Certificates are valid in the whole of their last second.
const SECOND: Duration = Duration::from_secs(1);

/// A client's certificate with those that lead to an authority, as the client sent them.
pub(super) struct PeerCertificate {
    chain: Vec<CertificateDer<'static>>,
    current: watch::Receiver<Arc<Current>>,
    verifier: Arc<dyn ClientCertVerifier>,
    next_check: Pin<Box<Sleep>>,
}

impl PeerCertificate {
    /// A chain that the listener accepted in a handshake under the value that `current` has seen. `None` if the listener takes no certificates.
    pub(super) fn new(chain: Vec<CertificateDer<'static>>, current: watch::Receiver<Arc<Current>>) -> Option<Self> {
        let verifier = Arc::clone(current.borrow().client_verifier()?);
        // A resumed session may have a certificate that has expired: rustls verified it in the first handshake only.
        let next_check = Box::pin(sleep(until_check(&chain, Duration::ZERO)));
        Some(Self {
            chain,
            current,
            verifier,
            next_check,
        })
    }

    /// Waits until the certificate is no longer accepted, and returns why. Can be cancelled and called again.
    pub(super) async fn rejected(&mut self) -> rustls::Error {
        loop {
            let is_due = tokio::select! {
                Ok(()) = self.current.changed() => false,
                () = self.next_check.as_mut() => true,
            };
            let current = Arc::clone(&self.current.borrow_and_update());
            let verifier = current.client_verifier().unwrap_or(&self.verifier);
            if !is_due && Arc::ptr_eq(verifier, &self.verifier) {
                continue;
            }
            self.verifier = Arc::clone(verifier);
            if let Err(error) = self.verify() {
                return error;
            }
            let wait = until_check(&self.chain, since_1970());
            self.next_check.as_mut().reset(Instant::now() + wait);
        }
    }

    fn verify(&self) -> Result<(), rustls::Error> {
        let Some((end_entity, intermediates)) = self.chain.split_first() else {
            return Err(rustls::Error::NoCertificatesPresented);
        };
        self.verifier
            .verify_client_cert(end_entity, intermediates, UnixTime::now())
            .map(drop)
    }
}

/// How long from now until the first certificate of the chain expires that is valid at `at`, a time since 1970. The client may have sent some
/// that nobody needs, so that this is only when to verify again.
fn until_check(chain: &[CertificateDer<'_>], at: Duration) -> Duration {
    let ends = chain
        .iter()
        .filter_map(|certificate| Some(valid_until(certificate).ok()? + SECOND));
    let first = ends.filter(|end| *end > at).min().unwrap_or(Duration::MAX);
    first.saturating_sub(since_1970()).min(MAX_VERIFY_INTERVAL)
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
