//! Parses `--listener`: an address for Kafka clients, and how they sign in there.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use penstock_authn::Mechanism;
use thiserror::Error;

const MAX_NAME_LEN: usize = 32;

/// Why a value is refused. Each message says what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ListenerError {
    #[error(
        "{0:?} is not a setting of a listener. Write KEY=VALUE, separated by commas, with the keys name, address, advertised, tls, client_ca, client_crl, auth"
    )]
    UnknownSetting(String),
    #[error("{0} is set twice")]
    Twice(&'static str),
    #[error("{0} is missing")]
    Missing(&'static str),
    #[error("name={0}: use 1 to {MAX_NAME_LEN} letters, digits, - and _")]
    Name(String),
    #[error("address={0}: use IP:PORT, such as 0.0.0.0:9093")]
    Address(String),
    #[error("advertised={0}: use HOST or HOST:PORT")]
    Advertised(String),
    #[error("tls={0}: use CERTIFICATE:KEY, the paths of two PEM files")]
    Tls(String),
    #[error("client_ca needs tls=CERTIFICATE:KEY")]
    ClientCaWithoutTls,
    #[error("client_ca needs auth=tls: clients sign in with the certificates that it issued")]
    ClientCaWithoutAuth,
    #[error("client_crl needs client_ca=FILE, the issuers of the certificates that it revokes")]
    ClientCrlWithoutClientCa,
    #[error("auth=tls needs client_ca=FILE, the certificates that issue those of the clients")]
    AuthTlsWithoutClientCa,
    #[error(
        "auth={0}: use none, or one or more of tls, scram, scram-sha-256, scram-sha-512, plain, oauthbearer, joined by +"
    )]
    Auth(String),
    #[error("auth={0} needs tls=CERTIFICATE:KEY, because clients send a secret that others could use")]
    SecretWithoutTls(&'static str),
}

/// A listener as configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListenerOption {
    /// Name that identifies the same listener on all agents.
    pub name: String,
    /// The address on which it listens.
    pub address: SocketAddr,
    /// The host and port that clients connect to, if set.
    pub advertised: Option<(String, Option<u16>)>,
    /// The TLS files. `None` for plaintext connections.
    pub tls: Option<TlsFiles>,
    /// The SASL mechanisms that clients may use.
    pub mechanisms: Vec<Mechanism>,
}

/// Paths of PEM files. The agent reloads them when they change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// The listener's certificate chain.
    pub certificate: PathBuf,
    /// The certificate's private key.
    pub key: PathBuf,
    /// The issuers of client certificates, and whether a client must present one.
    pub client_ca: Option<(PathBuf, ClientCertificate)>,
    /// The revocation lists of these issuers.
    pub client_crl: Option<PathBuf>,
}

/// Whether a client must present a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientCertificate {
    /// The handshake fails without a certificate.
    Required,
    /// A client can also sign in by another method.
    Optional,
}

#[derive(Default)]
struct Settings<'a> {
    name: Option<&'a str>,
    address: Option<&'a str>,
    advertised: Option<&'a str>,
    tls: Option<&'a str>,
    client_ca: Option<&'a str>,
    client_crl: Option<&'a str>,
    auth: Option<&'a str>,
}

impl FromStr for ListenerOption {
    type Err = ListenerError;

    fn from_str(value: &str) -> Result<Self, ListenerError> {
        let settings = Settings::read(value)?;
        let name = settings.name.ok_or(ListenerError::Missing("name=NAME"))?;
        let is_name = |name: &str| {
            (1..=MAX_NAME_LEN).contains(&name.len())
                && name
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        };
        if !is_name(name) {
            return Err(ListenerError::Name(name.to_owned()));
        }
        let address = settings.address.ok_or(ListenerError::Missing("address=IP:PORT"))?;
        let auth = settings
            .auth
            .map(Auth::read)
            .transpose()?
            .unwrap_or_else(|| Auth::default_of(&settings));
        Ok(Self {
            name: name.to_owned(),
            address: address
                .parse()
                .map_err(|_| ListenerError::Address(address.to_owned()))?,
            advertised: settings.advertised.map(advertised).transpose()?,
            tls: settings.tls_files(&auth)?,
            mechanisms: auth.mechanisms,
        })
    }
}

impl<'a> Settings<'a> {
    fn read(value: &'a str) -> Result<Self, ListenerError> {
        let mut settings = Self::default();
        for part in value.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let unknown = || ListenerError::UnknownSetting(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(unknown)?;
            let (key, setting) = match key {
                "name" => ("name", &mut settings.name),
                "address" => ("address", &mut settings.address),
                "advertised" => ("advertised", &mut settings.advertised),
                "tls" => ("tls", &mut settings.tls),
                "client_ca" => ("client_ca", &mut settings.client_ca),
                "client_crl" => ("client_crl", &mut settings.client_crl),
                "auth" => ("auth", &mut settings.auth),
                _ => return Err(unknown()),
            };
            if setting.replace(value).is_some() {
                return Err(ListenerError::Twice(key));
            }
        }
        Ok(settings)
    }

    fn tls_files(&self, auth: &Auth) -> Result<Option<TlsFiles>, ListenerError> {
        if self.client_crl.is_some() && self.client_ca.is_none() {
            return Err(ListenerError::ClientCrlWithoutClientCa);
        }
        let Some(tls) = self.tls else {
            let needs_tls = auth.mechanisms.iter().find(|mechanism| mechanism.needs_tls());
            return match (self.client_ca, auth.certificates, needs_tls) {
                (Some(_), _, _) => Err(ListenerError::ClientCaWithoutTls),
                (None, true, _) => Err(ListenerError::AuthTlsWithoutClientCa),
                (None, false, Some(Mechanism::OauthBearer)) => Err(ListenerError::SecretWithoutTls("oauthbearer")),
                (None, false, Some(_)) => Err(ListenerError::SecretWithoutTls("plain")),
                (None, false, None) => Ok(None),
            };
        };
        let (certificate, key) = tls
            .split_once(':')
            .filter(|(certificate, key)| !certificate.is_empty() && !key.is_empty() && !key.contains(':'))
            .ok_or_else(|| ListenerError::Tls(tls.to_owned()))?;
        let client_ca = match (self.client_ca, auth.certificates) {
            (None, false) => None,
            (None, true) => return Err(ListenerError::AuthTlsWithoutClientCa),
            (Some(_), false) => return Err(ListenerError::ClientCaWithoutAuth),
            (Some(file), true) if auth.mechanisms.is_empty() => Some((file.into(), ClientCertificate::Required)),
            (Some(file), true) => Some((file.into(), ClientCertificate::Optional)),
        };
        Ok(Some(TlsFiles {
            certificate: certificate.into(),
            key: key.into(),
            client_ca,
            client_crl: self.client_crl.map(Into::into),
        }))
    }
}

/// The methods by which clients can sign in.
struct Auth {
    certificates: bool,
    mechanisms: Vec<Mechanism>,
}

impl Auth {
    /// The most secure default that the connection allows: certificates if there is an issuer, else passwords.
    fn default_of(settings: &Settings<'_>) -> Self {
        let mechanisms = match (settings.client_ca, settings.tls) {
            (Some(_), _) => Vec::new(),
            (None, Some(_)) => vec![Mechanism::ScramSha512, Mechanism::ScramSha256, Mechanism::Plain],
            (None, None) => plain_listener_mechanisms(),
        };
        Self {
            certificates: settings.client_ca.is_some(),
            mechanisms,
        }
    }

    fn read(value: &str) -> Result<Self, ListenerError> {
        let mut auth = Self {
            certificates: false,
            mechanisms: Vec::new(),
        };
        if value == "none" {
            return Ok(auth);
        }
        for method in value.split('+') {
            match method {
                "tls" => auth.certificates = true,
                "scram" => auth.mechanisms.extend([Mechanism::ScramSha512, Mechanism::ScramSha256]),
                "scram-sha-512" => auth.mechanisms.push(Mechanism::ScramSha512),
                "scram-sha-256" => auth.mechanisms.push(Mechanism::ScramSha256),
                "plain" => auth.mechanisms.push(Mechanism::Plain),
                "oauthbearer" => auth.mechanisms.push(Mechanism::OauthBearer),
                _ => return Err(ListenerError::Auth(value.to_owned())),
            }
        }
        auth.mechanisms.sort_unstable();
        auth.mechanisms.dedup();
        Ok(auth)
    }
}

/// The default mechanisms of a listener without TLS.
pub(crate) fn plain_listener_mechanisms() -> Vec<Mechanism> {
    vec![Mechanism::ScramSha512, Mechanism::ScramSha256]
}

/// Parses `HOST`, `HOST:PORT`, or an IPv6 address in brackets with an optional port.
fn advertised(value: &str) -> Result<(String, Option<u16>), ListenerError> {
    let bad = || ListenerError::Advertised(value.to_owned());
    let (host, port) = match value.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']').ok_or_else(bad)?;
            match after {
                "" => (host, None),
                _ => (host, Some(after.strip_prefix(':').ok_or_else(bad)?)),
            }
        }
        None => match value.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (value, None),
        },
    };
    let port = port.map(str::parse).transpose().map_err(|_| bad())?;
    match host.is_empty() || port == Some(0) {
        true => Err(bad()),
        false => Ok((host.to_owned(), port)),
    }
}

impl fmt::Display for ListenerOption {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tls = if self.tls.is_some() { " (TLS)" } else { "" };
        write!(out, "{}={}{tls}", self.name, self.address)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(value: &str) -> Result<ListenerOption, ListenerError> {
        value.parse()
    }

    #[test]
    fn parses_a_listener_with_all_settings() {
        let listener = parsed(
            "name=external,address=0.0.0.0:9093,advertised=kafka.example.com:443,tls=/tls/cert.pem:/tls/key.pem,client_ca=/tls/ca.pem,client_crl=/tls/crl.pem,auth=tls+plain+scram",
        )
        .unwrap();
        assert_eq!(listener.advertised, Some(("kafka.example.com".to_owned(), Some(443))));
        let tls = listener.tls.unwrap();
        assert_eq!(tls.certificate, PathBuf::from("/tls/cert.pem"));
        assert_eq!(tls.key, PathBuf::from("/tls/key.pem"));
        assert_eq!(tls.client_ca, Some(("/tls/ca.pem".into(), ClientCertificate::Optional)));
        assert_eq!(tls.client_crl, Some("/tls/crl.pem".into()));
        assert_eq!(
            listener.mechanisms,
            [Mechanism::ScramSha512, Mechanism::ScramSha256, Mechanism::Plain]
        );
    }

    #[test]
    fn the_default_auth_depends_on_the_secrecy_of_connections() {
        let mechanisms = |value: &str| parsed(value).unwrap().mechanisms;
        assert!(!mechanisms("name=a,address=[::]:1").contains(&Mechanism::Plain));
        assert!(mechanisms("name=a,address=[::]:1,tls=c:k").contains(&Mechanism::Plain));
        let mutual = parsed("name=a,address=[::]:1,tls=c:k,client_ca=ca").unwrap();
        assert!(mutual.mechanisms.is_empty());
        assert_eq!(
            mutual.tls.unwrap().client_ca,
            Some(("ca".into(), ClientCertificate::Required))
        );
        assert!(mechanisms("name=a,address=[::]:1,auth=none").is_empty());
    }

    #[test]
    fn an_advertised_address_can_omit_its_port_or_be_ipv6() {
        let advertised =
            |value: &str| parsed(&format!("name=a,address=[::]:1,advertised={value}")).map(|l| l.advertised);
        assert_eq!(advertised("host"), Ok(Some(("host".to_owned(), None))));
        assert_eq!(advertised("[::1]:7"), Ok(Some(("::1".to_owned(), Some(7)))));
        assert_eq!(advertised("[::1]"), Ok(Some(("::1".to_owned(), None))));
        for bad in [
            "",
            ":7",
            "host:",
            "host:0",
            "host:x",
            "host:70000",
            "[::1",
            "[::1]7",
            "::1",
        ] {
            assert_eq!(advertised(bad), Err(ListenerError::Advertised(bad.to_owned())), "{bad}");
        }
    }

    #[test]
    fn refuses_invalid_values_with_a_correction() {
        let cases = [
            ("", ListenerError::Missing("name=NAME")),
            ("name=a", ListenerError::Missing("address=IP:PORT")),
            ("name=a b,address=[::]:1", ListenerError::Name("a b".to_owned())),
            ("name=a,name=b", ListenerError::Twice("name")),
            (
                "name=a,adress=[::]:1",
                ListenerError::UnknownSetting("adress=[::]:1".to_owned()),
            ),
            (
                "name=a,address=localhost",
                ListenerError::Address("localhost".to_owned()),
            ),
            ("name=a,address=[::]:1,tls=c", ListenerError::Tls("c".to_owned())),
            ("name=a,address=[::]:1,client_ca=ca", ListenerError::ClientCaWithoutTls),
            (
                "name=a,address=[::]:1,tls=c:k,client_crl=crl",
                ListenerError::ClientCrlWithoutClientCa,
            ),
            ("name=a,address=[::]:1,auth=tls", ListenerError::AuthTlsWithoutClientCa),
            (
                "name=a,address=[::]:1,tls=c:k,auth=tls",
                ListenerError::AuthTlsWithoutClientCa,
            ),
            (
                "name=a,address=[::]:1,tls=c:k,client_ca=ca,auth=scram",
                ListenerError::ClientCaWithoutAuth,
            ),
            (
                "name=a,address=[::]:1,auth=plain",
                ListenerError::SecretWithoutTls("plain"),
            ),
            (
                "name=a,address=[::]:1,auth=oauthbearer",
                ListenerError::SecretWithoutTls("oauthbearer"),
            ),
            (
                "name=a,address=[::]:1,auth=gssapi",
                ListenerError::Auth("gssapi".to_owned()),
            ),
        ];
        for (value, expected) in cases {
            assert_eq!(parsed(value), Err(expected), "{value}");
        }
    }
}
