//! A client's certificate during its connection. It is verified again when it expires and when the listener's
//! authorities or revocation lists change, so that both take effect on open connections.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use penstock_authn::valid_until;
use penstock_runtime::since_unix_epoch;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::ClientCertVerifier;
use tokio::sync::watch;
use tokio::time::{Instant, Sleep, sleep};

use super::tls::Current;

/// Maximum time between verifications, in case the machine's clock was changed or it was suspended.
const MAX_VERIFY_INTERVAL: Duration = Duration::from_secs(3600);
/// Certificates stay valid until the end of their last second.
const SECOND: Duration = Duration::from_secs(1);

/// A client's certificate chain, as the client sent it.
pub(super) struct PeerCertificate {
    chain: Vec<CertificateDer<'static>>,
    current: watch::Receiver<Arc<Current>>,
    verifier: Arc<dyn ClientCertVerifier>,
    next_check: Pin<Box<Sleep>>,
}

impl PeerCertificate {
    /// Creates it from a chain that the listener accepted in a handshake, under the configuration last seen by
    /// `current`. `None` if the listener accepts no certificates.
    pub(super) fn new(chain: Vec<CertificateDer<'static>>, current: watch::Receiver<Arc<Current>>) -> Option<Self> {
        let verifier = Arc::clone(current.borrow().client_verifier()?);
        // A resumed session may use an expired certificate, because rustls verifies it only in the full handshake.
        let next_check = Box::pin(sleep(until_check(&chain, Duration::ZERO)));
        Some(Self {
            chain,
            current,
            verifier,
            next_check,
        })
    }

    /// Waits until the certificate is no longer accepted, and returns the reason. Cancel-safe.
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
            let wait = until_check(&self.chain, since_unix_epoch());
            self.next_check.as_mut().reset(Instant::now() + wait);
        }
    }

    fn verify(&self) -> Result<(), rustls::Error> {
        let Some((end_entity, intermediates)) = self.chain.split_first() else {
            return Err(rustls::Error::NoCertificatesPresented);
        };
        self.verifier
            .verify_client_cert(
                end_entity,
                intermediates,
                UnixTime::since_unix_epoch(since_unix_epoch()),
            )
            .map(drop)
    }
}

/// Time from `at` (since 1970) until the first certificate in the chain that is then valid expires. The chain may
/// contain unnecessary certificates, so this only schedules the next verification.
fn until_check(chain: &[CertificateDer<'_>], at: Duration) -> Duration {
    let ends = chain
        .iter()
        .filter_map(|certificate| Some(valid_until(certificate).ok()? + SECOND));
    let first = ends.filter(|end| *end > at).min().unwrap_or(Duration::MAX);
    first.saturating_sub(since_unix_epoch()).min(MAX_VERIFY_INTERVAL)
}
