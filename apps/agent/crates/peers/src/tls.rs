//! TLS 1.3 between the agents of a zone, with raw public keys (RFC 7250). Each agent generates a key when it starts and
//! registers its hash. The others accept exactly that key, so there are no certificates or authorities.

use std::sync::Arc;

use penstock_metadata_client::proto;
use penstock_runtime::secure_random;
use ring::digest::{SHA256, digest};
use ring::signature::Ed25519KeyPair;
use rustls::client::Resumption;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring as ring_provider, verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime};
use rustls::server::AlwaysResolvesServerRawPublicKeys;
use rustls::sign::CertifiedKey;
use rustls::version::TLS13;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, ServerConfig, SignatureScheme};

/// SHA-256 of an agent's public key in `SubjectPublicKeyInfo` format.
pub(crate) type KeyHash = [u8; 32];

/// The hash of the key that an agent registered. `None` if it is malformed.
pub(crate) fn key_of(agent: &proto::Agent) -> Option<KeyHash> {
    KeyHash::try_from(&agent.internal_key_sha256[..]).ok()
}

/// This agent's key. It exists only in this process and is never stored.
#[derive(Debug)]
pub(crate) struct OwnKey {
    pub(crate) sha256: KeyHash,
    /// TLS settings for connections from other agents.
    pub(crate) config: Arc<ServerConfig>,
}

impl OwnKey {
    /// # Errors
    /// Returns an error if the system cannot generate random numbers.
    pub(crate) fn generate() -> Result<Self, Error> {
        let pkcs8 = Ed25519KeyPair::generate_pkcs8(&secure_random()).map_err(|_| Error::FailedToGetRandomBytes)?;
        let key = ring_provider::sign::any_eddsa_type(&PrivatePkcs8KeyDer::from(pkcs8.as_ref()))?;
        let public = key
            .public_key()
            .ok_or_else(|| Error::General("the key has no public key".to_owned()))?;
        let public = CertificateDer::from(public.to_vec());
        let sha256 = sha256(&public);
        let resolver = AlwaysResolvesServerRawPublicKeys::new(Arc::new(CertifiedKey::new(vec![public], key)));
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider()))
            .with_protocol_versions(&[&TLS13])?
            .with_no_client_auth()
            .with_cert_resolver(Arc::new(resolver));
        // Connections are kept open, so no agent would resume a session.
        config.send_tls13_tickets = 0;
        Ok(Self {
            sha256,
            config: Arc::new(config),
        })
    }
}

/// TLS settings for connections to the agent that registered this key.
///
/// # Errors
/// Returns an error if the crypto provider lacks TLS 1.3.
pub(crate) fn client_config(key_sha256: KeyHash) -> Result<ClientConfig, Error> {
    let provider = provider();
    let pinned = PinnedKey {
        sha256: key_sha256,
        algorithms: provider.signature_verification_algorithms,
    };
    let mut config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[&TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(pinned))
        .with_no_client_auth();
    config.resumption = Resumption::disabled();
    Ok(config)
}

/// Returns true if the handshake failed because the other side has another key than the registered one.
pub(crate) fn is_wrong_key(error: &(dyn std::error::Error + 'static)) -> bool {
    let wrong = Error::from(CertificateError::ApplicationVerificationFailure);
    std::iter::successors(Some(error), |error| cause_of(*error)).any(|error| error.downcast_ref() == Some(&wrong))
}

/// Includes the error wrapped by an I/O error, which the chain of sources omits.
fn cause_of<'a>(error: &'a (dyn std::error::Error + 'static)) -> Option<&'a (dyn std::error::Error + 'static)> {
    match error.downcast_ref::<std::io::Error>() {
        Some(error) => error.get_ref().map(|wrapped| wrapped as _),
        None => error.source(),
    }
}

fn provider() -> CryptoProvider {
    ring_provider::default_provider()
}

fn sha256(public: &[u8]) -> KeyHash {
    let mut hash = KeyHash::default();
    // SHA-256 has 32 bytes.
    hash.copy_from_slice(digest(&SHA256, public).as_ref());
    hash
}

#[derive(Debug)]
struct PinnedKey {
    sha256: KeyHash,
    algorithms: WebPkiSupportedAlgorithms,
}

impl ServerCertVerifier for PinnedKey {
    fn verify_server_cert(
        &self,
        public: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        // Both are public, so the comparison need not take constant time.
        match sha256(public) == self.sha256 {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::ApplicationVerificationFailure.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _public: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(Error::General("TLS 1.2 is not offered".to_owned()))
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        public: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let public = SubjectPublicKeyInfoDer::from(public.as_ref());
        verify_tls13_signature_with_raw_key(message, &public, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
