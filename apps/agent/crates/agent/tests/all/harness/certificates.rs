//! Certificates for tests, and clients that connect with them.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use penstock_agent::{ClientCertificate, TlsFiles};
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, IsCa, Issuer, KeyIdMethod, KeyPair,
    RevokedCertParams,
};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Client;

/// An issuer, and a folder with a listener's files.
pub struct Certificates {
    folder: TempDir,
    issuer: Issuer<'static, KeyPair>,
    issuer_pem: String,
}

/// A certificate and its key, both in PEM.
pub struct Pair {
    pub certificate: String,
    pub key: String,
}

impl Certificates {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "tests");
        let key = KeyPair::generate().unwrap();
        let issuer_pem = params.self_signed(&key).unwrap().pem();
        let certificates = Self {
            folder: tempfile::tempdir().unwrap(),
            issuer: Issuer::new(params, key),
            issuer_pem,
        };
        fs::write(certificates.path("ca.pem"), &certificates.issuer_pem).unwrap();
        certificates.write_server(&certificates.issue("agent"));
        certificates
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Issues a certificate for localhost with this common name.
    pub fn issue(&self, common_name: &str) -> Pair {
        self.sign(common_name, |_| {})
    }

    /// Issues a certificate that is valid until `end`, in whole seconds.
    pub fn issue_until(&self, common_name: &str, end: SystemTime) -> Pair {
        let since_1970 = end.duration_since(UNIX_EPOCH).unwrap();
        self.sign(common_name, |params| {
            params.not_after = rcgen::date_time_ymd(1970, 1, 1) + since_1970;
        })
    }

    /// Issues a certificate with this serial number, by which it can be revoked.
    pub fn issue_numbered(&self, common_name: &str, serial_number: u64) -> Pair {
        self.sign(common_name, |params| params.serial_number = Some(serial_number.into()))
    }

    /// Replaces the revocation list on disk. It expires at `next_update`.
    pub fn write_revoked(&self, serial_numbers: &[u64], next_update: SystemTime) {
        let since_1970 = next_update.duration_since(UNIX_EPOCH).unwrap();
        let epoch = rcgen::date_time_ymd(1970, 1, 1);
        let list = CertificateRevocationListParams {
            this_update: epoch,
            next_update: epoch + since_1970,
            crl_number: 1.into(),
            issuing_distribution_point: None,
            revoked_certs: serial_numbers
                .iter()
                .map(|number| RevokedCertParams {
                    serial_number: (*number).into(),
                    revocation_time: epoch,
                    reason_code: None,
                    invalidity_date: None,
                })
                .collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        let list = list.signed_by(&self.issuer).unwrap();
        fs::write(self.path("crl.pem"), list.pem().unwrap()).unwrap();
    }

    fn sign(&self, common_name: &str, change: impl FnOnce(&mut CertificateParams)) -> Pair {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        params.distinguished_name.push(DnType::OrganizationName, "Example");
        params.distinguished_name.push(DnType::CommonName, common_name);
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        Pair {
            certificate: params.signed_by(&key, &self.issuer).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// Replaces the listener's certificate on disk.
    pub fn write_server(&self, pair: &Pair) {
        fs::write(self.path("cert.pem"), &pair.certificate).unwrap();
        fs::write(self.path("key.pem"), &pair.key).unwrap();
    }

    /// Replaces the authorities of client certificates on disk.
    pub fn write_authorities(&self, authorities: &[&Self]) {
        let pem: String = authorities.iter().map(|authority| &*authority.issuer_pem).collect();
        fs::write(self.path("ca.pem"), pem).unwrap();
    }

    pub fn files(&self, client_certificate: Option<ClientCertificate>) -> TlsFiles {
        TlsFiles {
            certificate: self.path("cert.pem"),
            key: self.path("key.pem"),
            client_ca: client_certificate.map(|demand| (self.path("ca.pem"), demand)),
            client_crl: Some(self.path("crl.pem")).filter(|file| file.exists()),
        }
    }

    /// Connects and completes the handshake, as far as the client can tell.
    pub async fn connect(
        &self,
        address: SocketAddr,
        certificate: Option<&Pair>,
        versions: &[&'static SupportedProtocolVersion],
    ) -> std::io::Result<Client<TlsStream<TcpStream>>> {
        let mut roots = RootCertStore::empty();
        roots
            .add(CertificateDer::from_pem_slice(self.issuer_pem.as_bytes()).unwrap())
            .unwrap();
        let builder = ClientConfig::builder_with_provider(Arc::new(default_provider()))
            .with_protocol_versions(versions)
            .unwrap()
            .with_root_certificates(roots);
        let config = match certificate {
            Some(pair) => builder
                .with_client_auth_cert(
                    vec![CertificateDer::from_pem_slice(pair.certificate.as_bytes()).unwrap()],
                    PrivateKeyDer::from_pem_slice(pair.key.as_bytes()).unwrap(),
                )
                .unwrap(),
            None => builder.with_no_client_auth(),
        };
        let socket = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        let stream = TlsConnector::from(Arc::new(config)).connect(name, socket).await?;
        Ok(Client::new(stream))
    }
}
