//! The command line: the agent, and commands that call the public API. Each agent flag can also be set by an
//! environment variable `PENSTOCK_<FLAG>`.

use std::net::SocketAddr;
use std::time::Duration;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};
use penstock_authn::{PrincipalRules, Requirement};
use penstock_cli::{ApiCommand, ROOT_HELP};
use penstock_write_path::LaneSettings;

use crate::jwks::KeySource;
use crate::landing_option::LandingOption;
use crate::listener_option::ListenerOption;
use crate::metrics_access::MetricsToken;

const EXAMPLES: &str = "\
Examples:
  Store in a folder of this machine:
    export PENSTOCK_AGENT_KEY=...   # from the cluster's page
    penstock agent --cluster CLUSTER_ID --metadata-url http://localhost:7070 --bucket file:///var/lib/penstock

  Store in S3, in one availability zone, with credentials from the machine's role:
    penstock agent --cluster CLUSTER_ID --metadata-url https://metadata.example.com \\
      --bucket s3://my-bucket/streams?region=eu-central-1 --zone eu-central-1a \\
      --advertised-host agent-1.internal

  Land records in S3 Express One Zone, for low-latency mode:
    penstock agent ... --bucket s3://my-bucket/streams?region=us-east-1 --zone use1-az4 \\
      --landing-bucket use1-az4=s3://streams--use1-az4--x-s3 \\
      --landing-bucket use1-az5=s3://streams--use1-az5--x-s3 \\
      --landing-bucket use1-az6=s3://streams--use1-az6--x-s3

  Take clients of other networks over TLS, and those of this one in the clear:
    penstock agent ... \\
      --listener name=internal,address=0.0.0.0:9092,advertised=agent-1.internal \\
      --listener name=external,address=0.0.0.0:9093,advertised=kafka.example.com,tls=cert.pem:key.pem

Set the agent key through the environment instead of the flag, because other users of a machine can see command lines.
SIGTERM and SIGINT stop the agent gracefully: it completes accepted requests within at most 30 seconds.";

/// Kafka-compatible streaming directly on object storage.
#[derive(Debug, Parser)]
#[command(name = "penstock", version, about, after_help = ROOT_HELP, arg_required_else_help = true)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands of the binary.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve Kafka clients and store records in your object storage
    #[command(after_help = EXAMPLES)]
    Agent(Box<AgentOptions>),
    /// Over the public API.
    #[command(flatten)]
    Api(Box<ApiCommand>),
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Readable text.
    Text,
    /// One JSON object per line.
    Json,
}

/// A role of the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Accepts records from Kafka producers.
    Produce,
    /// Serves Kafka consumers.
    Consume,
    /// Merges data files and compacts topics in the background.
    Jobs,
}

impl Role {
    /// The name in options and in the metadata service.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Produce => "produce",
            Self::Consume => "consume",
            Self::Jobs => "jobs",
        }
    }
}

/// Whether clients must sign in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RequireAuthentication {
    /// As configured in the cluster's settings.
    Auto,
    /// Clients must always sign in, regardless of the settings.
    Always,
    /// Clients never have to sign in, regardless of the settings.
    Never,
}

impl From<RequireAuthentication> for Requirement {
    fn from(requirement: RequireAuthentication) -> Self {
        match requirement {
            RequireAuthentication::Auto => Self::Auto,
            RequireAuthentication::Always => Self::Always,
            RequireAuthentication::Never => Self::Never,
        }
    }
}

/// The options of `penstock agent`.
#[derive(Clone, Args)]
pub struct AgentOptions {
    /// Agent key of the virtual cluster; shown once when you create it
    #[arg(
        long,
        env = "PENSTOCK_AGENT_KEY",
        hide_env_values = true,
        value_name = "KEY",
        help_heading = "Virtual cluster"
    )]
    pub agent_key: String,

    /// ID of the virtual cluster
    #[arg(long, env = "PENSTOCK_CLUSTER", value_name = "ID", help_heading = "Virtual cluster")]
    pub cluster: String,

    /// URLs of the metadata service, separated by commas, in the order to try them
    #[arg(
        long,
        env = "PENSTOCK_METADATA_URL",
        value_name = "URL[,URL…]",
        help_heading = "Virtual cluster"
    )]
    pub metadata_url: String,

    /// Where to store records: s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX, file:///FOLDER or mem:// (lost at
    /// exit). Parameters: ?region=…&endpoint=…. For a folder, ?fsync=false is faster but can lose records in a power failure;
    /// use it only for tests. Credentials come from the cloud's environment variables or the machine's role, never from the URL
    #[arg(long, env = "PENSTOCK_BUCKET", value_name = "URL", help_heading = "Storage")]
    pub bucket: String,

    /// Landing bucket of a zone, as ZONE=URL; repeat it for each zone, or separate them by ; in the environment. Three buckets of S3 Express
    /// One Zone in three zones, used together with --bucket by clusters in low-latency mode: a data file is stored when two of them have
    /// it, and is merged into the bucket within a minute. Set the same ones on all agents of the cluster. ZONE is what --zone is for
    /// the agents there. URLs are as for --bucket
    #[arg(
        long,
        env = "PENSTOCK_LANDING_BUCKET",
        value_delimiter = ';',
        value_name = "ZONE=URL",
        help_heading = "Storage"
    )]
    pub landing_bucket: Vec<LandingOption>,

    /// Availability zone of this agent, by the cloud's name for it. Keeps clients in their own zone and lets the agents in a
    /// zone fetch each block of a data file once. Agents with the same zone name read from each other, so a wrong name causes
    /// traffic between zones
    #[arg(
        long,
        env = "PENSTOCK_ZONE",
        default_value = "",
        hide_default_value = true,
        help_heading = "Storage"
    )]
    pub zone: String,

    /// Roles of this agent, separated by commas. An agent with only the jobs role merges data files for the others: it accepts
    /// no Kafka connections and is not announced to clients. An agent with only the consume role serves consumers, and needs a
    /// read-only key. Use produce and consume together otherwise
    #[arg(long, env = "PENSTOCK_ROLES", value_enum, value_delimiter = ',', value_name = "ROLE[,ROLE…]",
        default_values_t = [Role::Produce, Role::Consume, Role::Jobs], help_heading = "Jobs")]
    pub roles: Vec<Role>,

    /// Memory for a job that merges data files or compacts partitions, in addition to the limits below. One job runs at a time, and
    /// takes no more than its files need. More memory means fewer requests: with 2 GiB, a job reads each file once. The default is a
    /// quarter of the memory of the machine or container, from 128 MiB to 2 GiB. Half of it holds the keys of the partition being
    /// compacted, 24 bytes each: 2.5 million in 128 MiB
    #[arg(long, env = "PENSTOCK_JOB_MEMORY_BYTES", value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(64 << 20..=16 << 30), help_heading = "Jobs")]
    pub job_memory_bytes: Option<u64>,

    /// Maximum time that records wait before their data file is written, in milliseconds
    #[arg(long, env = "PENSTOCK_FLUSH_INTERVAL_MS", default_value_t = 250, value_name = "MS",
        value_parser = clap::value_parser!(u64).range(1..=60_000), help_heading = "Storage")]
    pub flush_interval_ms: u64,

    /// Maximum time that records wait before their data file is written to landing buckets, in milliseconds. A shorter time means lower
    /// latency and more requests to pay for
    #[arg(long, env = "PENSTOCK_LANDING_FLUSH_INTERVAL_MS", default_value_t = 25, value_name = "MS",
        value_parser = clap::value_parser!(u64).range(1..=60_000), help_heading = "Storage")]
    pub landing_flush_interval_ms: u64,

    /// Write a data file immediately when it reaches this size
    #[arg(long, env = "PENSTOCK_FLUSH_BYTES", default_value_t = 15 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1 << 10..=1 << 30), help_heading = "Storage")]
    pub flush_bytes: u64,

    /// PUT requests that this agent may spend per hour on writing data files before the flush interval ends, when no client that waits
    /// could send more. It saves up what the interval would have cost while it is idle. The default is what the
    /// flush interval costs at most: 14,400 at 250 ms, $52 a month at $0.005 per 1,000 PUTs. 0 turns it off
    #[arg(long, env = "PENSTOCK_PUT_BUDGET_PER_HOUR", value_name = "PUTS",
        value_parser = clap::value_parser!(u32).range(0..=10_000_000), help_heading = "Storage")]
    pub put_budget_per_hour: Option<u32>,

    /// PUT requests that this agent may spend per hour on writing data files to landing buckets before the landing flush interval ends, as
    /// with the PUT budget. Each file costs two. The default is what the landing flush interval costs at most: 288,000 at 25 ms, $238 a
    /// month at $0.00113 per 1,000 PUTs; or 0 if the PUT budget is 0
    #[arg(long, env = "PENSTOCK_LANDING_PUT_BUDGET_PER_HOUR", value_name = "PUTS",
        value_parser = clap::value_parser!(u32).range(0..=10_000_000), help_heading = "Storage")]
    pub landing_put_budget_per_hour: Option<u32>,

    /// PUTs that an agent saves up at most, in hours of its PUT budgets. It starts with one hour, or with this if it is less. With 0 it saves
    /// nothing
    #[arg(long, env = "PENSTOCK_SAVED_PUT_HOURS", default_value_t = 24, value_name = "HOURS",
        value_parser = clap::value_parser!(u32).range(0..=24), help_heading = "Storage")]
    pub saved_put_hours: u32,

    /// Listen address for Kafka clients without TLS; port 0 picks a free port
    #[arg(
        long,
        env = "PENSTOCK_LISTEN",
        default_value = "0.0.0.0:9092",
        value_name = "IP:PORT",
        conflicts_with = "listener",
        help_heading = "Network"
    )]
    pub listen: SocketAddr,

    /// One listener for Kafka clients, instead of --listen; repeat it for several, or separate them by ; in the environment.
    /// name=NAME,address=IP:PORT are required. advertised=HOST[:PORT] is what clients connect to. tls=CERTIFICATE:KEY turns on TLS 1.2
    /// and 1.3 with PEM files, which the agent reads again when they change. client_ca=FILE holds the issuers of client certificates,
    /// client_crl=FILE the current revocation list of each of them. auth=METHOD[+METHOD…] is how clients can sign in: tls (with a certificate), scram, scram-sha-256, scram-sha-512, plain or
    /// oauthbearer (both need TLS), or none. Default: tls with client_ca, scram+plain with tls, otherwise scram. Clients see the listener of the same name on
    /// all agents
    #[arg(
        long,
        env = "PENSTOCK_LISTENER",
        value_delimiter = ';',
        value_name = "KEY=VALUE,…",
        help_heading = "Network"
    )]
    pub listener: Vec<ListenerOption>,

    /// Names of the principals of clients that sign in with certificates: Kafka's ssl.principal.mapping.rules, tried in order against
    /// the certificate's subject. Each is DEFAULT (the whole subject) or RULE:PATTERN/REPLACEMENT/ followed by L, U or nothing for
    /// lower, upper or unchanged case. A pattern must match the whole subject
    #[arg(
        long,
        env = "PENSTOCK_TLS_PRINCIPAL_RULES",
        default_value = "DEFAULT",
        value_name = "RULES",
        help_heading = "Authentication"
    )]
    pub tls_principal_rules: PrincipalRules,

    /// Keys that sign the tokens of OAUTHBEARER: the JSON Web Key Set of your identity provider, as https://… or file:///…. A file is read
    /// again when it changes, an address every hour and when a token names an unknown key. Needed for auth=oauthbearer
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_JWKS",
        value_name = "URL",
        requires_all = ["oauth_issuer", "oauth_audience"],
        help_heading = "Authentication"
    )]
    pub oauth_jwks: Option<KeySource>,

    /// Claim iss that tokens must have
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_ISSUER",
        value_name = "ISSUER",
        requires = "oauth_jwks",
        help_heading = "Authentication"
    )]
    pub oauth_issuer: Option<String>,

    /// Audience that the claim aud of tokens must contain
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_AUDIENCE",
        value_name = "AUDIENCE",
        requires = "oauth_jwks",
        help_heading = "Authentication"
    )]
    pub oauth_audience: Option<String>,

    /// Claim that names the client
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_PRINCIPAL_CLAIM",
        default_value = "sub",
        value_name = "CLAIM",
        help_heading = "Authentication"
    )]
    pub oauth_principal_claim: String,

    /// How far the clocks of your identity provider and of this machine may differ, in milliseconds
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_CLOCK_SKEW_MS",
        default_value_t = 30_000,
        value_name = "MS",
        help_heading = "Authentication"
    )]
    pub oauth_clock_skew_ms: u64,

    /// How long tokens may be valid, from the claim iat (or their use, without it) to exp, in milliseconds. Tokens that are valid for longer
    /// are refused
    #[arg(
        long,
        env = "PENSTOCK_OAUTH_MAX_TOKEN_LIFETIME_MS",
        default_value_t = 24 * 3600 * 1000,
        value_name = "MS",
        help_heading = "Authentication"
    )]
    pub oauth_max_token_lifetime_ms: u64,

    /// Whether Kafka clients must sign in. auto: as the cluster's settings say, by default as soon as the cluster has credentials.
    /// never leaves the cluster open to everyone who can reach this agent
    #[arg(
        long,
        env = "PENSTOCK_REQUIRE_AUTHENTICATION",
        value_enum,
        default_value_t = RequireAuthentication::Auto,
        value_name = "WHEN",
        help_heading = "Authentication"
    )]
    pub require_authentication: RequireAuthentication,

    /// How long a client may use a connection before it must sign in again on it, in milliseconds, like Kafka's
    /// connections.max.reauth.ms. Clients do that by themselves. 0: only before its credential expires
    #[arg(
        long,
        env = "PENSTOCK_MAX_SESSION_MS",
        default_value_t = 0,
        value_name = "MS",
        help_heading = "Authentication"
    )]
    pub max_session_ms: u64,

    /// How long clients can sign in by the credentials received last while this agent can't reach the metadata service, in
    /// milliseconds. Clients that are signed in stay so
    #[arg(
        long,
        env = "PENSTOCK_MAX_USERS_AGE_MS",
        default_value_t = 3_600_000,
        value_name = "MS",
        help_heading = "Authentication"
    )]
    pub max_users_age_ms: u64,

    /// Host name that Kafka clients connect to, unless a listener names its own [default: the listen address, or this machine's name]
    #[arg(
        long,
        env = "PENSTOCK_ADVERTISED_HOST",
        value_name = "HOST",
        help_heading = "Network"
    )]
    pub advertised_host: Option<String>,

    /// Port that Kafka clients connect to [default: the listen port]
    #[arg(
        long,
        env = "PENSTOCK_ADVERTISED_PORT",
        value_name = "PORT",
        conflicts_with = "listener",
        help_heading = "Network"
    )]
    pub advertised_port: Option<u16>,

    /// Listen address for /metrics, /healthz and /readyz; port 0 picks a free port
    #[arg(
        long,
        env = "PENSTOCK_HTTP_LISTEN",
        default_value = "0.0.0.0:9464",
        value_name = "IP:PORT",
        help_heading = "Network"
    )]
    pub http_listen: SocketAddr,

    /// Token that /metrics asks callers on other machines for, as Authorization: Bearer TOKEN, of at least 16 characters. Without it,
    /// only this machine can read /metrics. /healthz and /readyz need no token
    #[arg(
        long,
        env = "PENSTOCK_METRICS_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN",
        help_heading = "Network"
    )]
    pub metrics_token: Option<MetricsToken>,

    /// Listen address for the other agents in the zone. One agent fetches each block of a data file from the bucket, and the
    /// others read it from that agent, by TLS with a key that each agent generates when it starts. Used if --zone is set and
    /// the agent serves consumers; port 0 picks a free port
    #[arg(
        long,
        env = "PENSTOCK_INTERNAL_LISTEN",
        default_value = "0.0.0.0:9466",
        value_name = "IP:PORT",
        help_heading = "Network"
    )]
    pub internal_listen: SocketAddr,

    /// Origin where the other agents in the zone reach this agent, such as http://10.0.3.7:9466. They use TLS there although it
    /// begins with http. Traffic must stay inside the zone, so don't use a load balancer [default: http://, the address from
    /// which this machine reaches the metadata service, and the port above]
    #[arg(long, env = "PENSTOCK_INTERNAL_URL", value_name = "URL", help_heading = "Network")]
    pub internal_url: Option<String>,

    /// Let owners and admins of your organization view records in the dashboard. Their web browsers read keys, values and
    /// headers directly from this agent, with tokens from the control plane that are valid for one topic and 30 seconds. Anyone
    /// who can sign these tokens and reach the address below can read every topic. Records never pass through the control plane
    #[arg(
        long,
        env = "PENSTOCK_MESSAGE_BROWSER",
        value_parser = BoolishValueParser::new(),
        help_heading = "Message browser"
    )]
    pub message_browser: bool,

    /// Listen address for the message browser; port 0 picks a free port
    #[arg(
        long,
        env = "PENSTOCK_MESSAGE_BROWSER_LISTEN",
        default_value = "0.0.0.0:9465",
        value_name = "IP:PORT",
        help_heading = "Message browser"
    )]
    pub message_browser_listen: SocketAddr,

    /// Origin where web browsers reach the message browser, such as https://records.example.com. The agent uses plain HTTP,
    /// which an https page can call only on localhost, so put a TLS load balancer in front of it [default: http://, the
    /// advertised host and the port above]
    #[arg(
        long,
        env = "PENSTOCK_MESSAGE_BROWSER_URL",
        value_name = "URL",
        help_heading = "Message browser"
    )]
    pub message_browser_url: Option<String>,

    /// Maximum number of connections; further connections are closed immediately
    #[arg(
        long,
        env = "PENSTOCK_MAX_CONNECTIONS",
        default_value_t = 16_384,
        value_name = "COUNT",
        help_heading = "Limits"
    )]
    pub max_connections: usize,

    /// Maximum size of a request; the agent closes connections that announce a larger one
    #[arg(long, env = "PENSTOCK_MAX_FRAME_BYTES", default_value_t = 100 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u32).range(1 << 16..=1 << 30), help_heading = "Limits")]
    pub max_frame_bytes: u32,

    /// Memory for requests and for records that are not stored yet. When it is full, producers wait
    #[arg(long, env = "PENSTOCK_MAX_IN_FLIGHT_BYTES", default_value_t = 256 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u32).range(1 << 20..), help_heading = "Limits")]
    pub max_in_flight_bytes: u32,

    /// Memory for caching data files
    #[arg(long, env = "PENSTOCK_CACHE_BYTES", default_value_t = 256 << 20, value_name = "BYTES", help_heading = "Limits")]
    pub cache_bytes: u64,

    /// Send traces of Produce and Fetch requests to an OpenTelemetry collector, with OTLP over HTTP. Configure the collector
    /// and sampling with OpenTelemetry's variables: OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318),
    /// OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER (parentbased_always_on: every request), OTEL_TRACES_SAMPLER_ARG,
    /// OTEL_SERVICE_NAME (penstock-agent), OTEL_RESOURCE_ATTRIBUTES. Traces contain names of topics and clients, sizes and
    /// times, never keys, values or headers of records
    #[arg(
        long,
        env = "PENSTOCK_TRACES",
        value_parser = BoolishValueParser::new(),
        help_heading = "Traces"
    )]
    pub traces: bool,

    /// Log format
    #[arg(long, env = "PENSTOCK_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, help_heading = "Logging")]
    pub log_format: LogFormat,
}

impl AgentOptions {
    /// Returns true if the agent has the role.
    #[must_use]
    pub fn has_role(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }

    /// Settings that decide when files for the standard bucket are sealed.
    #[must_use]
    pub fn standard_lane(&self) -> LaneSettings {
        let by_interval = LaneSettings::standard(Duration::from_millis(self.flush_interval_ms));
        LaneSettings {
            puts_per_hour: self.put_budget_per_hour.unwrap_or(by_interval.puts_per_hour),
            ..by_interval
        }
    }

    /// Settings that decide when files for landing buckets are sealed. By default, they are sealed early only if
    /// standard files are, too.
    #[must_use]
    pub fn landing_lane(&self) -> LaneSettings {
        let by_interval = LaneSettings::landing(Duration::from_millis(self.landing_flush_interval_ms));
        LaneSettings {
            puts_per_hour: match (self.landing_put_budget_per_hour, self.put_budget_per_hour) {
                (Some(budget), _) => budget,
                (None, Some(0)) => 0,
                (None, _) => by_interval.puts_per_hour,
            },
            ..by_interval
        }
    }
}

/// Hides the agent key.
impl std::fmt::Debug for AgentOptions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("AgentOptions")
            .field("cluster", &self.cluster)
            .field("bucket", &self.bucket)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn help() -> String {
        let mut command = Cli::command();
        command.build();
        command
            .find_subcommand_mut("agent")
            .unwrap()
            .render_long_help()
            .to_string()
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_flag_has_its_own_environment_variable() {
        let command = Cli::command();
        let agent = command.find_subcommand("agent").unwrap();
        for arg in agent.get_arguments() {
            let Some(flag) = arg.get_long().filter(|flag| *flag != "help" && *flag != "version") else {
                continue;
            };
            let expected = format!("PENSTOCK_{}", flag.replace('-', "_").to_uppercase());
            assert_eq!(
                arg.get_env().and_then(|name| name.to_str()),
                Some(expected.as_str()),
                "--{flag}"
            );
        }
    }

    #[test]
    fn help_never_shows_the_agent_key_or_the_metrics_token() {
        let agent = Cli::command();
        let agent = agent.find_subcommand("agent").unwrap();
        let secrets = agent
            .get_arguments()
            .filter(|arg| ["agent_key", "metrics_token"].contains(&arg.get_id().as_str()));
        assert_eq!(secrets.filter(|arg| arg.is_hide_env_values_set()).count(), 2);
        assert!(help().contains("Examples:"));
    }

    fn parsed(more: &[&str]) -> Result<Cli, clap::Error> {
        let mut args = vec![
            "penstock",
            "agent",
            "--agent-key",
            "psk_secret",
            "--cluster",
            "c",
            "--metadata-url",
            "http://m",
            "--bucket",
            "mem://",
        ];
        args.extend(more);
        Cli::try_parse_from(args)
    }

    fn roles(more: &[&str]) -> Option<Vec<Role>> {
        match parsed(more).ok()?.command {
            Command::Agent(options) => Some(options.roles.clone()),
            Command::Api(_) => None,
        }
    }

    #[test]
    fn requires_a_long_metrics_token_and_hides_it_in_debug_output() {
        assert!(parsed(&["--metrics-token", "short"]).is_err());
        let parsed = parsed(&["--metrics-token", "a-token-of-this-test"]).unwrap();
        assert!(!format!("{parsed:?}").contains("a-token-of-this-test"));
    }

    #[test]
    fn the_agent_key_is_not_in_debug_output() {
        assert!(!format!("{:?}", parsed(&[]).unwrap()).contains("psk_secret"));
    }

    #[test]
    fn put_budgets_default_to_the_cost_of_the_flush_intervals() {
        let budgets = |more: &[&str]| match parsed(more).unwrap().command {
            Command::Agent(options) => (
                options.standard_lane().puts_per_hour,
                options.landing_lane().puts_per_hour,
            ),
            Command::Api(_) => unreachable!("an agent was parsed"),
        };
        let (both, landing) = ("--put-budget-per-hour", "--landing-put-budget-per-hour");
        assert_eq!(budgets(&[]), (14_400, 288_000));
        let slower = ["--flush-interval-ms", "500", "--landing-flush-interval-ms", "50"];
        assert_eq!(budgets(&slower), (7_200, 144_000));
        assert_eq!(budgets(&[both, "100"]), (100, 288_000));
        assert_eq!(budgets(&[both, "0"]), (0, 0));
        assert_eq!(budgets(&[both, "0", landing, "500"]), (0, 500));
        assert_eq!(budgets(&[landing, "0"]), (14_400, 0));
    }

    #[test]
    fn several_listeners_replace_the_plain_one() {
        let listeners = |more: &[&str]| match parsed(more).ok()?.command {
            Command::Agent(options) => Some(options.listener.len()),
            Command::Api(_) => None,
        };
        let one = "name=a,address=0.0.0.0:1";
        assert_eq!(listeners(&[]), Some(0));
        assert_eq!(
            listeners(&["--listener", one, "--listener", "name=b,address=0.0.0.0:2"]),
            Some(2)
        );
        assert_eq!(
            listeners(&["--listener", "name=a,address=0.0.0.0:1;name=b,address=0.0.0.0:2"]),
            Some(2)
        );
        assert_eq!(listeners(&["--listener", one, "--listen", "0.0.0.0:1"]), None);
        assert_eq!(listeners(&["--listener", one, "--advertised-port", "1"]), None);
        assert_eq!(listeners(&["--listener", "name=a"]), None);
    }

    #[test]
    fn an_agent_has_all_roles_by_default() {
        assert_eq!(roles(&[]), Some(vec![Role::Produce, Role::Consume, Role::Jobs]));
        assert_eq!(roles(&["--roles", "jobs"]), Some(vec![Role::Jobs]));
        assert_eq!(
            roles(&["--roles", "produce,consume"]),
            Some(vec![Role::Produce, Role::Consume])
        );
        assert_eq!(roles(&["--roles", "produce,cook"]), None);
        assert_eq!(roles(&["--roles", ""]), None);
    }
}
