//! Opens the agent's Kafka listeners as configured.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::sync::Arc;

use penstock_authn::Mechanism;
use penstock_handlers::AdvertisedListener;
use penstock_metadata_client::proto;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::listener_option::{ListenerOption, plain_listener_mechanisms};
use crate::options::{AgentOptions, RequireAuthentication};
use crate::server::{Listener, TlsError, TlsIdentity};

/// Name of the `--listen` listener. It is never sent to other agents or the service.
const PLAIN_LISTENER: &str = "plain";

/// Why the listeners cannot be opened. Each message says what to do.
#[derive(Debug, Error)]
pub(crate) enum ListenersError {
    #[error("--listener: two listeners have the name {0}. Give each its own")]
    SameName(String),
    #[error(
        "--listener: {0} has auth=none, but --require-authentication always refuses clients that have not signed in. Add a method to auth, or \
         remove the listener"
    )]
    NoWayIn(String),
    #[error("--listener: {0} has auth=oauthbearer, which needs --oauth-jwks, --oauth-issuer and --oauth-audience")]
    NoKeys(String),
    #[error("--listener {name}: {source}")]
    Tls { name: String, source: TlsError },
    #[error(
        "cannot listen on {address} ({flag}): {source}. Stop the process that uses it, or choose another address with {flag}"
    )]
    Listen {
        flag: &'static str,
        address: SocketAddr,
        source: std::io::Error,
    },
}

/// A listener and the socket that accepts its connections.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) listener: Listener,
    pub(crate) socket: TcpListener,
}

/// The bound listeners and the addresses that clients receive for them.
#[derive(Debug, Default)]
pub(crate) struct Listeners {
    pub(crate) bound: Vec<Bound>,
    /// Advertised addresses, in the same order as the listeners.
    pub(crate) advertised: Vec<AdvertisedListener>,
}

impl Listeners {
    /// Loads the certificates and opens the sockets.
    pub(crate) async fn open(options: &AgentOptions) -> Result<Self, ListenersError> {
        let mut listeners = Self::default();
        if options.listener.is_empty() {
            let socket = listen("--listen", options.listen).await?;
            let plain = Bound {
                listener: plain_listener(),
                socket,
            };
            listeners.add(options, plain, options.advertised_port.filter(|port| *port != 0), None);
        }
        let mut names = HashSet::new();
        for option in &options.listener {
            if !names.insert(&option.name) {
                return Err(ListenersError::SameName(option.name.clone()));
            }
            let (host, port) = match &option.advertised {
                Some((host, port)) => (Some(host.clone()), *port),
                None => (None, None),
            };
            listeners.add(options, open(options, option).await?, port, host);
        }
        Ok(listeners)
    }

    fn add(&mut self, options: &AgentOptions, bound: Bound, port: Option<u16>, host: Option<String>) {
        let address = bound.socket.local_addr().unwrap_or(options.listen);
        let configured = host
            .or_else(|| options.advertised_host.clone())
            .filter(|host| !host.is_empty());
        self.advertised.push(AdvertisedListener {
            name: Arc::clone(&bound.listener.name),
            host: configured.unwrap_or_else(|| host_to_advertise(address)),
            port: port.unwrap_or_else(|| address.port()),
        });
        self.bound.push(bound);
    }

    /// The listeners to register in addition to the advertised host and port. Empty for a single listener, which those
    /// describe.
    pub(crate) fn to_register(&self) -> Vec<proto::AgentListener> {
        let is_unnamed = matches!(self.bound.as_slice(), [only] if *only.listener.name == *PLAIN_LISTENER);
        let named = if is_unnamed { &[] } else { self.advertised.as_slice() };
        named
            .iter()
            .zip(&self.bound)
            .map(|(listener, bound)| proto::AgentListener {
                name: listener.name.to_string(),
                host: listener.host.clone(),
                port: listener.port.into(),
                tls: bound.listener.tls.is_some(),
                sasl_mechanisms: bound
                    .listener
                    .mechanisms
                    .iter()
                    .map(|mechanism| mechanism.name().to_owned())
                    .collect(),
            })
            .collect()
    }

    /// The addresses as shown in the log.
    pub(crate) fn addresses(&self) -> String {
        let of = |Bound { listener, socket }: &Bound| {
            let address = socket.local_addr();
            let address = address.map_or_else(|error| error.to_string(), |address| address.to_string());
            match (&*listener.name, &listener.tls) {
                (PLAIN_LISTENER, _) => address,
                (name, Some(_)) => format!("{name}:{address}(TLS)"),
                (name, None) => format!("{name}:{address}"),
            }
        };
        match self.bound.is_empty() {
            true => "none".to_owned(),
            false => self.bound.iter().map(of).collect::<Vec<_>>().join(","),
        }
    }
}

/// The listener of `--listen`, without its socket.
pub(crate) fn plain_listener() -> Listener {
    Listener {
        name: PLAIN_LISTENER.into(),
        tls: None,
        mechanisms: plain_listener_mechanisms().into(),
    }
}

async fn open(options: &AgentOptions, option: &ListenerOption) -> Result<Bound, ListenersError> {
    let takes_certificates = option.tls.as_ref().is_some_and(|tls| tls.client_ca.is_some());
    let is_open = option.mechanisms.is_empty() && !takes_certificates;
    if is_open && options.require_authentication == RequireAuthentication::Always {
        return Err(ListenersError::NoWayIn(option.name.clone()));
    }
    if option.mechanisms.contains(&Mechanism::OauthBearer) && options.oauth_jwks.is_none() {
        return Err(ListenersError::NoKeys(option.name.clone()));
    }
    let identity = option
        .tls
        .clone()
        .map(|files| TlsIdentity::load(files, options.tls_principal_rules.clone()));
    let tls = identity.transpose().map_err(|source| ListenersError::Tls {
        name: option.name.clone(),
        source,
    })?;
    Ok(Bound {
        listener: Listener {
            name: option.name.as_str().into(),
            tls,
            mechanisms: option.mechanisms.clone().into(),
        },
        socket: listen("--listener", option.address).await?,
    })
}

/// Opens a listening socket.
#[expect(clippy::disallowed_methods, reason = "the place that opens listening sockets")]
pub(crate) async fn listen(flag: &'static str, address: SocketAddr) -> Result<TcpListener, ListenersError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| ListenersError::Listen { flag, address, source })
}

/// Returns the listen address if it names one interface, else this machine's name.
pub(crate) fn host_to_advertise(listen: SocketAddr) -> String {
    if listen.ip().is_unspecified() {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    } else {
        listen.ip().to_string()
    }
}
