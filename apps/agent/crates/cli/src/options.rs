//! Options that several commands share, and what they open.

use clap::Args;

use crate::{
    client::{Answer, Api, Items},
    config::{Config, ConfigFile, parse_profile_name},
    credentials::{Credentials, Environment, resolve},
    error::CliError,
    output::Output,
};

/// Which installation, as whom, and how answers are printed.
#[derive(Debug, Clone, Args)]
pub struct ApiOptions {
    /// Print only the API's JSON on standard output, with all pages of a list
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,

    #[command(flatten)]
    pub(crate) profile: ProfileOption,
}

/// Which of several installations or organizations.
#[derive(Debug, Clone, Args)]
pub struct ProfileOption {
    /// Profile of the configuration file to use; PENSTOCK_URL and PENSTOCK_API_KEY take precedence
    #[arg(
        long,
        global = true,
        env = "PENSTOCK_PROFILE",
        default_value = "default",
        value_name = "NAME",
        value_parser = parse_profile_name,
        help_heading = "Global options"
    )]
    pub profile: String,
}

/// Consent beforehand.
#[derive(Debug, Clone, Args)]
pub struct ConsentOption {
    /// Don't ask for confirmation; required outside a terminal
    #[arg(long, short = 'y')]
    pub yes: bool,
}

/// The cluster that something is in.
#[derive(Debug, Clone, Args)]
pub struct ClusterOption {
    /// Cluster name or ID
    #[arg(long, short = 'c', env = "PENSTOCK_CLUSTER", value_name = "NAME|ID")]
    pub cluster: String,
}

/// A signed-in caller, and where its answers go.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) api: Api,
    pub(crate) out: Output,
}

impl ApiOptions {
    /// Whom to ask, and with which key.
    pub(crate) fn credentials(&self) -> Result<Credentials, CliError> {
        let environment = Environment::read();
        let config = match ConfigFile::of_user().and_then(|file| file.load()) {
            // Where the environment says all there is no need of a file.
            Err(_) if environment.is_complete() => Config::default(),
            other => other?,
        };
        resolve(&environment, &config, &self.profile.profile)
    }

    /// Opens the installation with the key at hand.
    pub(crate) fn open(&self) -> Result<Session, CliError> {
        let found = self.credentials()?;
        Ok(Session {
            api: Api::new(found.origin, Some(&found.api_key))?,
            out: Output::new(self.json),
        })
    }
}

/// What a name is looked up by.
#[derive(Debug, serde::Deserialize)]
struct Named {
    id: String,
    name: String,
    /// Keys have it; what was revoked no longer needs its name.
    #[serde(rename = "revokedAt")]
    revoked_at: Option<String>,
}

/// The id of a living cluster, which may be given by its name.
pub(crate) async fn cluster_id(api: &Api, given: &str) -> Result<String, CliError> {
    if is_id(given) {
        return Ok(given.to_owned());
    }
    let clusters = api.list(&["clusters"]).await?;
    id_among(
        &clusters,
        given,
        "cluster",
        "List clusters with `penstock cluster list`.",
    )
}

pub(crate) fn is_id(given: &str) -> bool {
    uuid::Uuid::try_parse(given).is_ok()
}

/// The id of the one thing of this name in a list.
pub(crate) fn id_among(list: &Answer, name: &str, noun: &str, remedy: &str) -> Result<String, CliError> {
    let Items { items } = list.read::<Items<Named>>()?;
    let mut found: Vec<&Named> = items
        .iter()
        .filter(|item| item.name == name && item.revoked_at.is_none())
        .collect();
    match (found.pop(), found.len()) {
        (Some(only), 0) => Ok(only.id.clone()),
        (Some(last), _) => {
            let ids: Vec<&str> = found
                .iter()
                .map(|item| item.id.as_str())
                .chain([last.id.as_str()])
                .collect();
            Err(CliError::refused(
                format!("There are {} named “{name}”.", ids.len()),
                format!("Use the ID of the {noun}: {}.", ids.join(", ")),
            ))
        }
        (None, _) => Err(CliError::refused(format!("There is no {noun} “{name}”."), remedy)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Exit;

    fn list(text: &str) -> Answer {
        Answer {
            body: text.to_owned(),
            etag: None,
        }
    }

    #[test]
    fn a_revoked_key_leaves_its_name_to_the_one_that_opens() {
        let keys = list(
            r#"{"items":[{"id":"1","name":"a","revokedAt":"2026-11-02T09:30:00.000Z"},{"id":"2","name":"a","revokedAt":null}]}"#,
        );
        assert_eq!(id_among(&keys, "a", "agent key", "").unwrap(), "2");
    }

    #[test]
    fn a_name_means_one_thing_or_is_refused_with_what_to_give_instead() {
        let clusters =
            list(r#"{"items":[{"id":"1","name":"a"},{"id":"2","name":"b"},{"id":"3","name":"b"}],"nextCursor":null}"#);
        assert_eq!(id_among(&clusters, "a", "cluster", "").unwrap(), "1");
        let error = id_among(&clusters, "b", "cluster", "").unwrap_err();
        assert!(error.to_string().contains("2, 3"));
        let error = id_among(&clusters, "A", "cluster", "Look.").unwrap_err();
        assert_eq!((error.exit, error.remedy.as_deref()), (Exit::Refused, Some("Look.")));
    }
}
