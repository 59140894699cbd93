//! An agent of a simulation: the same process, on a simulated network, store and metadata service.

use std::sync::Arc;

use bytes::Bytes;
use clap::Parser as _;
use http::{Request, Response};
use penstock_handlers::AdvertisedListener;
use penstock_metadata_client::{ConnectClient, Exchange, ResponseBody, parse_metadata_urls};
use penstock_runtime::spawn;
use penstock_store::{Bucket, self_test};
use tokio::io::DuplexStream;

use crate::agent::{Agent, PeerNetwork, StartError, Surroundings, credentials, is_read_only};
use crate::listeners::{Listeners, plain_listener};
use crate::options::{Cli, Command};

/// Bytes that a connection holds in each direction.
const STREAM_BYTES: usize = 64 << 10;

/// A running agent. The tasks of its machine run it.
pub struct SimulatedAgent(Agent);

impl SimulatedAgent {
    /// Starts an agent with these arguments of the command line, on the machine of the calling task. Clients find it
    /// at `host` and `port`, and other agents of its zone at port 9466 of it, with requests to `peers`.
    ///
    /// # Errors
    /// Returns the message with which the agent would exit.
    pub async fn start(
        arguments: &[String],
        exchange: Arc<dyn Exchange>,
        bucket: Bucket,
        peers: Arc<dyn Exchange>,
        (host, port): (&str, u16),
    ) -> Result<Self, String> {
        let cli = Cli::try_parse_from(arguments).map_err(|error| error.to_string())?;
        let Command::Agent(options) = cli.command else {
            return Err("the arguments are not those of an agent".to_owned());
        };
        let started = async {
            let is_read_only = is_read_only(&options).ok_or(StartError::Roles)?;
            self_test(&bucket).await?;
            let urls = parse_metadata_urls(&options.metadata_url)?;
            let surroundings = Surroundings {
                service: urls.first().cloned(),
                metadata: Arc::new(ConnectClient::over(exchange, urls, &credentials(&options))?),
                bucket,
                landing: Vec::new(),
                listeners: Listeners {
                    bound: Vec::new(),
                    advertised: vec![AdvertisedListener {
                        name: plain_listener().name,
                        host: host.to_owned(),
                        port,
                    }],
                },
                http: None,
                records: None,
                internal: None,
                peers: Some(PeerNetwork {
                    exchange: peers,
                    url: format!("http://{host}:9466"),
                }),
            };
            Agent::start_in(&options, surroundings, is_read_only).await
        };
        let agent: Result<Agent, StartError> = started.await;
        agent.map(Self).map_err(|error| error.to_string())
    }

    /// Connects a client. Call it on the agent's machine.
    #[must_use]
    pub fn connect(&self) -> DuplexStream {
        let (ours, theirs) = tokio::io::duplex(STREAM_BYTES);
        let (server, stopping) = (self.0.server.clone(), self.0.stopping());
        spawn(async move {
            server.serve_stream(&plain_listener(), theirs, stopping).await;
        });
        ours
    }

    /// Answers a request of another agent for a block. Run it on the agent's machine.
    pub fn answer_peer(
        &self,
        request: Request<Bytes>,
    ) -> impl Future<Output = Option<Response<ResponseBody>>> + Send + use<> {
        Arc::clone(&self.0.peer_listener).answer_directly(request)
    }

    /// Stops as on SIGTERM.
    pub async fn stop(self) {
        self.0.stop().await;
    }
}
