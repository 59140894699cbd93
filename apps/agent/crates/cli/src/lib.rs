//! The `penstock` command line: the public API for people and scripts. It knows the API's paths and some response
//! fields; the API makes all rules.

mod address;
mod client;
mod commands;
mod config;
mod credentials;
mod error;
mod options;
mod output;
mod problem;
mod prompt;
mod retry;
mod scram;
mod secret;
mod table;
mod units;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use clap_complete::Shell;

use commands::{acl, agent_key, cluster, group, metrics, security, session, tco, topic, transaction, usage, user};
use error::{CliError, Exit};

const COMPLETIONS_HELP: &str = "\
Examples:
  penstock completions bash > ~/.local/share/bash-completion/completions/penstock
  penstock completions zsh > ~/.zfunc/_penstock
  penstock completions fish > ~/.config/fish/completions/penstock.fish";

/// The commands that use the public API.
#[derive(Debug, Subcommand)]
pub enum ApiCommand {
    /// Sign in with an API key and store it for later commands
    Login(session::LoginArgs),
    /// Delete a profile's API key
    Logout(session::LogoutArgs),
    /// Show the organization and API key that commands use
    Whoami(session::WhoamiArgs),
    /// Manage virtual clusters and check their health
    Cluster(cluster::ClusterArgs),
    /// Manage the topics of a cluster
    Topic(topic::TopicArgs),
    /// Show consumer groups and their lag, reset offsets, and delete groups
    Group(group::GroupArgs),
    /// Show transactions, and abort one that hangs
    Transaction(transaction::TransactionArgs),
    /// Manage the agent keys of a cluster
    AgentKey(agent_key::AgentKeyArgs),
    /// Manage the Kafka users of a cluster
    User(user::UserArgs),
    /// Manage the ACLs of a cluster
    Acl(acl::AclArgs),
    /// Show and change whether ACLs and authentication are enforced
    Security(security::SecurityArgs),
    /// Show a metric of a cluster over time
    Metrics(metrics::MetricsArgs),
    /// Show the usage of the current month
    Usage(usage::UsageArgs),
    /// Estimate the monthly cost of a workload with Penstock and its alternatives
    Tco(Box<tco::TcoArgs>),
    /// Print shell completions
    Completions(CompletionsArgs),
}

/// Options of `penstock completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_HELP)]
pub struct CompletionsArgs {
    /// Shell to generate completions for
    #[arg(value_enum)]
    shell: Shell,
}

/// Text at the end of `penstock --help`.
pub const ROOT_HELP: &str = "\
All commands except agent use the public API with an API key. See `penstock login --help`.
Exit codes: 0 done, 1 rejected by the API, 2 invalid command line, 3 not signed in or the key was \
rejected, 4 no response.";

/// Runs a command to completion.
///
/// * `root`: the whole command line, for completions
#[must_use]
pub fn run(command: ApiCommand, root: clap::Command) -> ExitCode {
    let outcome = match command {
        ApiCommand::Completions(args) => print_completions(args.shell, root),
        other => tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| {
                CliError::refused(
                    format!("Can't start the runtime: {error}."),
                    "Check this machine's limits.",
                )
            })
            .and_then(|runtime| runtime.block_on(dispatch(other))),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.exit != Exit::OutputClosed {
                eprintln!("{error}");
            }
            ExitCode::from(error.exit as u8)
        }
    }
}

async fn dispatch(command: ApiCommand) -> Result<(), CliError> {
    match command {
        ApiCommand::Login(args) => session::login(args).await,
        ApiCommand::Logout(args) => session::logout(&args),
        ApiCommand::Whoami(args) => session::whoami(&args).await,
        ApiCommand::Cluster(args) => cluster::run(args).await,
        ApiCommand::Topic(args) => topic::run(args).await,
        ApiCommand::Group(args) => group::run(args).await,
        ApiCommand::Transaction(args) => transaction::run(args).await,
        ApiCommand::AgentKey(args) => agent_key::run(args).await,
        ApiCommand::User(args) => user::run(args).await,
        ApiCommand::Acl(args) => acl::run(args).await,
        ApiCommand::Security(args) => security::run(args).await,
        ApiCommand::Metrics(args) => metrics::run(args).await,
        ApiCommand::Usage(args) => usage::run(args).await,
        ApiCommand::Tco(args) => tco::run(*args).await,
        ApiCommand::Completions(_) => Ok(()),
    }
}

fn print_completions(shell: Shell, mut root: clap::Command) -> Result<(), CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut root, "penstock", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser};

    use super::*;

    #[derive(Parser)]
    #[command(name = "penstock")]
    struct Cli {
        #[command(subcommand)]
        _command: ApiCommand,
    }

    /// Collects the commands without subcommands, with their paths.
    fn leaf_commands(command: &clap::Command, path: &str, found: &mut Vec<(String, String)>) {
        let children: Vec<_> = command
            .get_subcommands()
            .filter(|child| child.get_name() != "help")
            .collect();
        if children.is_empty() {
            let help = command.clone().render_long_help().to_string();
            found.push((path.to_owned(), help));
        }
        for child in children {
            leaf_commands(child, &format!("{path} {}", child.get_name()), found);
        }
    }

    fn all_leaf_commands() -> Vec<(String, String)> {
        let mut root = Cli::command();
        root.build();
        let mut found = Vec::new();
        leaf_commands(&root, "penstock", &mut found);
        found
    }

    /// The command within a line of shell script.
    fn command_in(line: &str) -> Option<&str> {
        let command = &line[line.find("penstock ")?..];
        Some(command.split([')', '|', '>']).next().unwrap_or(command).trim())
    }

    #[test]
    fn every_command_has_examples_that_parse() {
        let leaf_commands = all_leaf_commands();
        assert!(leaf_commands.len() > 20);
        for (path, help) in leaf_commands {
            let (_, examples) = help
                .split_once("Examples:\n")
                .unwrap_or_else(|| panic!("{path} has no examples"));
            assert!(
                examples.lines().all(|line| line.len() <= 100),
                "{path} has an example that help would wrap"
            );
            let examples = examples.replace("\\\n", " ");
            let commands: Vec<&str> = examples.lines().filter_map(command_in).collect();
            assert!(commands.iter().any(|command| command.starts_with(&path)), "{path}");
            for command in commands {
                if let Err(error) = Cli::try_parse_from(command.split_whitespace()) {
                    panic!("{command}: {error}");
                }
            }
        }
    }

    #[test]
    fn no_command_accepts_a_secret_as_an_argument() {
        for (path, help) in all_leaf_commands() {
            assert!(!help.contains("--api-key"), "{path}");
            assert!(!help.contains("--password <"), "{path}");
        }
        assert!(Cli::try_parse_from(["penstock", "login", "psk_api_secret"]).is_err());
    }

    #[test]
    fn global_options_are_accepted_anywhere() {
        for line in [
            "penstock cluster --json list",
            "penstock cluster list --json --profile staging",
            "penstock cluster --profile staging list",
        ] {
            assert!(Cli::try_parse_from(line.split(' ')).is_ok(), "{line}");
        }
    }

    #[test]
    fn completions_include_every_command() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::PowerShell, Shell::Elvish] {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "penstock", &mut script);
            let script = String::from_utf8(script).unwrap();
            assert!(
                script.contains("reset-offsets") && script.contains("agent-key"),
                "{shell}"
            );
        }
    }

    #[test]
    fn the_help_lists_the_exit_codes() {
        let codes = [
            Exit::OutputClosed,
            Exit::Refused,
            Exit::Usage,
            Exit::SignedOut,
            Exit::Network,
        ]
        .map(|exit| exit as u8);
        assert_eq!(codes, [0, 1, 2, 3, 4]);
    }
}
