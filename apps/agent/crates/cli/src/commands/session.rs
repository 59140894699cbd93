//! `penstock login`, `logout` and `whoami`.

use clap::Args;
use serde::Deserialize;

use crate::{
    address::parse_origin,
    client::{Answer, Api},
    config::{ConfigFile, Profile},
    credentials::Environment,
    error::CliError,
    options::{ApiOptions, ProfileOption},
    output::Output,
    prompt,
    secret::ApiKey,
    units::{instant, yes_no},
};

const LOGIN_HELP: &str = "\
The command prompts for the key without showing it, or reads it from standard input. The key is never an argument, because \
other users of a machine can see command lines. The command checks the key and stores it in \
$XDG_CONFIG_HOME/penstock/config.toml (default: ~/.config/penstock/config.toml), which only you can read. If you set \
PENSTOCK_API_KEY and PENSTOCK_URL, you don't need to sign in. They take precedence over the file.

Examples:
  penstock login --url https://app.example.com
  penstock login --url https://staging.example.com --profile staging
  pass show penstock/api-key | penstock login --url https://app.example.com";

const LOGOUT_HELP: &str = "\
The key itself keeps working. To disable it, revoke it on your organization's API keys page.

Examples:
  penstock logout
  penstock logout --profile staging";

const WHOAMI_HELP: &str = "\
Examples:
  penstock whoami
  penstock whoami --json";

/// Options of `penstock login`.
#[derive(Debug, Args)]
#[command(after_help = LOGIN_HELP)]
pub struct LoginArgs {
    /// Address of the dashboard; https, except for this machine [default: the profile's address]
    #[arg(long, env = "PENSTOCK_URL", value_name = "URL")]
    pub url: Option<String>,

    #[command(flatten)]
    profile: ProfileOption,
}

/// Options of `penstock logout`.
#[derive(Debug, Args)]
#[command(after_help = LOGOUT_HELP)]
pub struct LogoutArgs {
    #[command(flatten)]
    profile: ProfileOption,
}

/// Options of `penstock whoami`.
#[derive(Debug, Args)]
#[command(after_help = WHOAMI_HELP)]
pub struct WhoamiArgs {
    #[command(flatten)]
    options: ApiOptions,
}

#[derive(Deserialize)]
struct Organization {
    id: String,
    name: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CurrentKey {
    name: String,
    role: String,
    is_read_only: bool,
    display_prefix: String,
    display_last4: String,
    expires_at: Option<String>,
}

/// Fetches the key's organization and the key's own details.
async fn look_up(api: &Api) -> Result<(Answer, Answer), CliError> {
    Ok((
        api.get(&["organization"]).await?,
        api.get(&["api-keys", "current"]).await?,
    ))
}

pub(crate) async fn login(args: LoginArgs) -> Result<(), CliError> {
    let file = ConfigFile::of_user()?;
    let mut config = file.load()?;
    let profile = args.profile.profile;
    let known = config.profiles.get(&profile).map(|profile| profile.url.clone());
    let origin = match args.url.or(known) {
        Some(url) => parse_origin(&url)?,
        None if prompt::is_interactive() => parse_origin(&prompt::ask("Address of the dashboard: ")?)?,
        None => {
            return Err(CliError::usage(
                "There is no address to sign in to.",
                "Set the address with `penstock login --url https://app.example.com`.",
            ));
        }
    };
    let api_key = ApiKey::parse(&prompt::ask_secret(
        "API key (from the API keys page; hidden as you type): ",
    )?)?;
    let (organization, key) = look_up(&Api::new(origin.clone(), Some(&api_key))?).await?;
    let (organization, key): (Organization, CurrentKey) = (organization.read()?, key.read()?);
    let url = origin.as_str().trim_end_matches('/').to_owned();
    config.profiles.insert(profile.clone(), Profile { url, api_key });
    file.save(&config)?;
    let out = Output::new(false);
    out.say(&format!(
        "Signed in to {} with the key “{}” ({}), which {}. Stored as profile {profile} in {}.",
        organization.name,
        key.name,
        key.role,
        key.expires_at
            .map_or_else(|| "never expires".to_owned(), |at| format!("expires {}", instant(&at))),
        file.path().display(),
    ));
    if Environment::read().api_key.is_some() {
        out.say("PENSTOCK_API_KEY is also set and takes precedence for other commands.");
    }
    Ok(())
}

pub(crate) fn logout(args: &LogoutArgs) -> Result<(), CliError> {
    let file = ConfigFile::of_user()?;
    let mut config = file.load()?;
    let profile = &args.profile.profile;
    let out = Output::new(false);
    if config.profiles.remove(profile).is_none() {
        out.say(&format!("You weren't signed in. There is no profile {profile}."));
        return Ok(());
    }
    file.save(&config)?;
    out.say(&format!(
        "Signed out. The key of profile {profile} was removed from {}. The key itself still works until you revoke it.",
        file.path().display()
    ));
    Ok(())
}

pub(crate) async fn whoami(args: &WhoamiArgs) -> Result<(), CliError> {
    let found = args.options.credentials()?;
    let out = Output::new(args.options.json);
    let api = Api::new(found.origin.clone(), Some(&found.api_key))?;
    let (organization, key) = look_up(&api).await?;
    if out.is_json {
        return out.json(&format!(
            r#"{{"organization":{},"apiKey":{}}}"#,
            organization.body, key.body
        ));
    }
    let (organization, key): (Organization, CurrentKey) = (organization.read()?, key.read()?);
    out.text(&out.facts(&[
        ("Organization", organization.name),
        ("Organization id", organization.id),
        (
            "API key",
            format!("{} ({}…{})", key.name, key.display_prefix, key.display_last4),
        ),
        ("Role", key.role),
        ("Read-only", yes_no(key.is_read_only)),
        ("Expires", key.expires_at.as_deref().map_or("never".to_owned(), instant)),
        ("Address", found.origin.to_string()),
        ("Key from", found.source),
    ]))
}
