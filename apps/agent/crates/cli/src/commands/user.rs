//! `penstock user`: the Kafka users of a cluster. Passwords stay on this machine; the API receives only SCRAM
//! verifiers.

use std::num::NonZeroU32;

use clap::{Args, Subcommand};
use serde::Deserialize;
use serde_json::json;

use crate::{
    client::Items,
    error::CliError,
    options::{ApiOptions, ClusterOption, ConsentOption, Session, cluster_id},
    output::Output,
    prompt::{ask_secret, confirm},
    scram::{Mechanism, Verifier, generate_password},
    table::{Column, Table},
    units::{instant, instant_or},
};

/// Options of `penstock user`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub struct UserArgs {
    #[command(subcommand)]
    command: UserCommand,

    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Debug, Subcommand)]
enum UserCommand {
    /// List the Kafka users of a cluster
    #[command(
        after_help = "Examples:\n  penstock user list --cluster orders\n  penstock user list --cluster orders --json"
    )]
    List {
        #[command(flatten)]
        of: ClusterOption,
    },
    /// Create a Kafka user, or replace its credential
    #[command(after_help = "\
The password is generated and shown once, or read with --password-stdin. It never leaves this
machine: penstock sends a SCRAM verifier. Only a generated password is written to standard output.

As soon as a cluster has a user, clients must authenticate, unless its access settings say otherwise.

Examples:
  penstock user create billing --cluster orders
  penstock user create billing --cluster orders --expires-at 2027-01-31T00:00:00Z
  PASSWORD=$(penstock user create billing --cluster orders)
  cat password.txt | penstock user create billing --cluster orders --password-stdin")]
    Create(CreateArgs),
    /// Delete a Kafka user; its clients lose access
    #[command(after_help = "\
ACLs and quotas that name the user stay. In a terminal, you confirm by typing the user's name.
Elsewhere, use --yes.

Examples:
  penstock user delete billing --cluster orders
  penstock user delete billing --cluster orders --mechanism scram-sha-256 --yes")]
    Delete {
        /// Name of the user
        #[arg(value_name = "USER")]
        user: String,
        /// Delete only the credential of this mechanism
        #[arg(long, value_enum)]
        mechanism: Option<Mechanism>,
        #[command(flatten)]
        of: ClusterOption,
        #[command(flatten)]
        consent: ConsentOption,
    },
}

#[derive(Debug, Args)]
struct CreateArgs {
    /// Name of the user
    #[arg(value_name = "USER")]
    user: String,
    /// SASL mechanism with which clients sign in
    #[arg(long, value_enum, default_value = "scram-sha-512")]
    mechanism: Mechanism,
    /// Rounds of the password hash, 4,096 to 1,000,000
    #[arg(long, value_name = "COUNT", default_value_t = 8_192, value_parser = clap::value_parser!(u32).range(4_096..=1_000_000))]
    iterations: u32,
    /// Time at which the credential expires, such as 2027-01-31T00:00:00Z [default: never]
    #[arg(long, value_name = "TIME")]
    expires_at: Option<String>,
    /// Read the password from standard input instead of generating one
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    of: ClusterOption,
}

#[derive(Deserialize)]
struct User {
    user: String,
    credentials: Vec<Credential>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Credential {
    mechanism: String,
    iterations: u32,
    created_at: String,
    expires_at: Option<String>,
    last_used_at: Option<String>,
    last_used_from: Option<String>,
}

pub(crate) async fn run(args: UserArgs) -> Result<(), CliError> {
    let session = args.options.open()?;
    let (api, out) = (&session.api, session.out);
    match args.command {
        UserCommand::List { of } => {
            let id = cluster_id(api, &of.cluster).await?;
            out.answer(&api.list(&["clusters", &id, "users"]).await?, draw_users)
        }
        UserCommand::Create(args) => create(&session, args).await,
        UserCommand::Delete {
            user,
            mechanism,
            of,
            consent,
        } => {
            let id = cluster_id(api, &of.cluster).await?;
            let consequence = format!(
                "Clients that sign in as “{user}” lose access to the cluster “{}”.",
                of.cluster
            );
            confirm(consent.yes, &consequence, &user)?;
            let query: Vec<_> = mechanism
                .iter()
                .map(|mechanism| ("mechanism", mechanism.name()))
                .collect();
            let deleted = api.delete(&["clusters", &id, "users", &user], &query, None).await?;
            out.say(&match mechanism {
                Some(mechanism) => format!("The {} credential of the user “{user}” was deleted.", mechanism.name()),
                None => format!("The user “{user}” was deleted."),
            });
            out.json(&deleted.body)
        }
    }
}

async fn create(Session { api, out }: &Session, args: CreateArgs) -> Result<(), CliError> {
    let id = cluster_id(api, &args.of.cluster).await?;
    let password = if args.password_stdin {
        chosen_password()?
    } else {
        generate_password()?
    };
    // The option's range excludes 0.
    let iterations = NonZeroU32::new(args.iterations).unwrap_or(NonZeroU32::MIN);
    let verifier = Verifier::new(args.mechanism, &password, iterations)?;
    let body = json!({
        "mechanism": args.mechanism.name(),
        "salt": verifier.salt,
        "storedKey": verifier.stored_key,
        "serverKey": verifier.server_key,
        "iterations": args.iterations,
        "expiresAt": args.expires_at,
    });
    let path = ["clusters", id.as_str(), "users", args.user.as_str(), "credentials"];
    let created = api.post(&path, &body).await?;
    if out.is_json {
        let mut answer: serde_json::Map<String, serde_json::Value> = created.read()?;
        if !args.password_stdin {
            answer.insert("password".to_owned(), password.into());
        }
        return out.json(&serde_json::Value::from(answer).to_string());
    }
    let done = format!(
        "The user “{}” of the cluster “{}” can sign in with {}.",
        args.user,
        args.of.cluster,
        args.mechanism.name()
    );
    if args.password_stdin {
        out.say(&done);
        return Ok(());
    }
    out.say(&format!("{done} The password won't be shown again:"));
    out.text(&format!("{password}\n"))
}

fn chosen_password() -> Result<String, CliError> {
    let password = ask_secret("Password: ")?;
    if password.is_empty() {
        return Err(CliError::usage(
            "The password is empty.",
            "Enter one line, or omit --password-stdin to generate a password.",
        ));
    }
    Ok(password)
}

fn draw_users(out: Output, Items { items }: Items<User>) -> String {
    let columns = [
        Column::Left("USER"),
        Column::Left("MECHANISM"),
        Column::Right("ITERATIONS"),
        Column::Left("CREATED"),
        Column::Left("EXPIRES"),
        Column::Left("LAST USED"),
        Column::Left("FROM"),
    ];
    let rows = items.iter().flat_map(|user| {
        user.credentials.iter().map(|credential| {
            [
                user.user.clone(),
                credential.mechanism.clone(),
                credential.iterations.to_string(),
                instant(&credential.created_at),
                instant_or(credential.expires_at.as_ref(), "never"),
                instant_or(credential.last_used_at.as_ref(), "never"),
                credential.last_used_from.clone().unwrap_or_default(),
            ]
        })
    });
    out.table(
        &Table::new(columns, rows),
        "There are no users yet. Create one with `penstock user create`.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_credential_has_a_line() {
        let text = r#"{"items":[{"user":"billing","credentials":[
            {"mechanism":"SCRAM-SHA-256","iterations":4096,"createdAt":"2026-11-23T09:30:00.000Z","expiresAt":null},
            {"mechanism":"SCRAM-SHA-512","iterations":8192,"createdAt":"2026-11-23T09:30:00.000Z","expiresAt":"2027-01-31T00:00:00.000Z"}]}]}"#;
        let drawn = draw_users(Output::plain(), serde_json::from_str(text).unwrap());
        assert_eq!(drawn.lines().filter(|line| line.starts_with("billing")).count(), 2);
        assert!(drawn.contains("never"));
    }
}
