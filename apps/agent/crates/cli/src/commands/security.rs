//! `penstock security`: whether clients of a cluster must authenticate, and whether ACLs are enforced.

use clap::{ArgGroup, Args, Subcommand, ValueEnum};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    error::CliError,
    options::{ApiOptions, ClusterOption, cluster_id},
    output::Output,
    units::yes_no,
};

/// Options of `penstock security`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct SecurityArgs {
    #[command(subcommand)]
    command: SecurityCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum SecurityCommand {
    /// Show the access settings of a cluster
    #[command(
        after_help = "Examples:\n  penstock security get --cluster orders\n  penstock security get --cluster orders --json"
    )]
    Get {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Change the access settings of a cluster
    #[command(
        group = ArgGroup::new("change").required(true).multiple(true)
            .args(["acl_mode", "authentication", "super_user", "no_super_users", "allow_everyone_if_no_acl_found"]),
        after_help = "\
Omitted settings don't change. Agents apply changes within seconds.

Examples:
  penstock security set --cluster orders --acl-mode shadow
  penstock security set --cluster orders --acl-mode enforced --super-user User:admin
  penstock security set --cluster orders --authentication always"
    )]
    Set(SetArgs),
}

#[derive(Debug, Args)]
struct SetArgs {
    /// Don't check ACLs, only log what they would deny, or enforce them
    #[arg(long, value_enum)]
    acl_mode: Option<AclMode>,
    /// Whether clients must authenticate
    #[arg(long, value_enum)]
    authentication: Option<Authentication>,
    /// Principal that may do everything; can be repeated, and replaces the list
    #[arg(long, value_name = "PRINCIPAL", conflicts_with = "no_super_users")]
    super_user: Vec<String>,
    /// Remove all super users
    #[arg(long)]
    no_super_users: bool,
    /// Whether a resource without any ACL is open to everyone
    #[arg(long, value_name = "true|false")]
    allow_everyone_if_no_acl_found: Option<bool>,
    /// Refuse the change if users, ACLs or settings have changed since this version
    #[arg(long, value_name = "VERSION")]
    expected_version: Option<u64>,
    #[command(flatten)]
    of: ClusterOption,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum AclMode {
    Disabled,
    Shadow,
    Enforced,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Authentication {
    WhenCredentialsExist,
    Always,
    Never,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Settings {
    version: u64,
    super_users: Vec<String>,
    allow_everyone_if_no_acl_found: bool,
    acl_mode: String,
    authentication: String,
}

pub(crate) async fn run(args: SecurityArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        SecurityCommand::Get { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.get(&["clusters", &id, "access-settings"]).await?, draw_settings)
        }
        SecurityCommand::Set(change) => {
            let id = cluster_id(api, &change.of.cluster).await?;
            let body = Value::from(change_of(change));
            let changed = api.patch(&["clusters", &id, "access-settings"], &body, None).await?;
            out.answer(&changed, draw_settings)
        }
    }
}

/// The request body of the API.
fn change_of(change: SetArgs) -> Map<String, Value> {
    let word = |value: clap::builder::PossibleValue| Value::from(value.get_name());
    let mut body = Map::new();
    if let Some(mode) = change.acl_mode.and_then(|mode| mode.to_possible_value()) {
        body.insert("aclMode".to_owned(), word(mode));
    }
    if let Some(authentication) = change.authentication.and_then(|value| value.to_possible_value()) {
        body.insert("authentication".to_owned(), word(authentication));
    }
    if change.no_super_users || !change.super_user.is_empty() {
        body.insert("superUsers".to_owned(), change.super_user.into());
    }
    if let Some(is_allowed) = change.allow_everyone_if_no_acl_found {
        body.insert("allowEveryoneIfNoAclFound".to_owned(), is_allowed.into());
    }
    if let Some(version) = change.expected_version {
        body.insert("expectedVersion".to_owned(), version.into());
    }
    body
}

fn draw_settings(out: Output, settings: Settings) -> String {
    let super_users = if settings.super_users.is_empty() {
        "none".to_owned()
    } else {
        settings.super_users.join(", ")
    };
    out.facts(&[
        ("ACLs", settings.acl_mode),
        ("Authentication required", settings.authentication),
        ("Super users", super_users),
        ("Open without ACL", yes_no(settings.allow_everyone_if_no_acl_found)),
        ("Version", settings.version.to_string()),
    ])
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use serde_json::json;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(subcommand)]
        command: SecurityCommand,
    }

    fn parse(options: &str) -> Map<String, Value> {
        let line = format!("security set -c orders {options}");
        match Line::try_parse_from(line.split_whitespace()).map(|line| line.command) {
            Ok(SecurityCommand::Set(change)) => change_of(change),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn omits_settings_that_are_not_named() {
        assert_eq!(
            Value::from(parse("--acl-mode enforced")),
            json!({ "aclMode": "enforced" })
        );
        assert_eq!(
            Value::from(parse("--authentication when-credentials-exist --expected-version 3")),
            json!({ "authentication": "when-credentials-exist", "expectedVersion": 3 })
        );
        assert_eq!(
            Value::from(parse(
                "--super-user User:a --super-user User:b --allow-everyone-if-no-acl-found false"
            )),
            json!({ "superUsers": ["User:a", "User:b"], "allowEveryoneIfNoAclFound": false })
        );
        assert_eq!(Value::from(parse("--no-super-users")), json!({ "superUsers": [] }));
    }

    #[test]
    fn a_change_names_a_setting() {
        assert!(Line::try_parse_from(["security", "set", "-c", "orders"]).is_err());
        assert!(
            Line::try_parse_from([
                "security",
                "set",
                "-c",
                "orders",
                "--super-user",
                "User:a",
                "--no-super-users"
            ])
            .is_err()
        );
    }
}
