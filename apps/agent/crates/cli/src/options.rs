//! Options shared by several commands, and the sessions that they open.

use clap::Args;

use crate::{
    client::{Answer, Api, Items},
    config::{Config, ConfigFile, parse_profile_name},
    credentials::{Credentials, Environment, resolve},
    error::CliError,
    output::Output,
};

/// The installation and key to use, and how to print responses.
#[derive(Debug, Clone, Args)]
pub struct ApiOptions {
    /// Print only the API's JSON on standard output, with all pages of a list
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,

    #[command(flatten)]
    pub(crate) profile: ProfileOption,
}

/// Selects one of several installations or organizations.
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

/// Consent given in advance.
#[derive(Debug, Clone, Args)]
pub struct ConsentOption {
    /// Don't ask for confirmation; required outside a terminal
    #[arg(long, short = 'y')]
    pub yes: bool,
}

/// The cluster that a command works on.
#[derive(Debug, Clone, Args)]
pub struct ClusterOption {
    /// Cluster name or ID
    #[arg(long, short = 'c', env = "PENSTOCK_CLUSTER", value_name = "NAME|ID")]
    pub cluster: String,
}

/// A signed-in client and its output.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) api: Api,
    pub(crate) out: Output,
}

impl ApiOptions {
    /// Returns the installation and key to use.
    pub(crate) fn credentials(&self) -> Result<Credentials, CliError> {
        let environment = Environment::read();
        let config = match ConfigFile::of_user().and_then(|file| file.load()) {
            // If the environment is complete, the file is not needed.
            Err(_) if environment.is_complete() => Config::default(),
            other => other?,
        };
        resolve(&environment, &config, &self.profile.profile)
    }

    /// Opens the installation with the current key.
    pub(crate) fn open(&self) -> Result<Session, CliError> {
        let found = self.credentials()?;
        Ok(Session {
            api: Api::new(found.origin, Some(&found.api_key))?,
            out: Output::new(self.json),
        })
    }
}

/// The fields needed to find something by name.
#[derive(Debug, serde::Deserialize)]
struct Named {
    id: String,
    name: String,
    /// Set on revoked keys, whose names are free for reuse.
    #[serde(rename = "revokedAt")]
    revoked_at: Option<String>,
}

/// The id of an active cluster, given by name or id.
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

/// The id of the only item with this name in a list.
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
    fn a_revoked_key_does_not_make_its_name_ambiguous() {
        let keys = list(
            r#"{"items":[{"id":"1","name":"a","revokedAt":"2026-11-02T09:30:00.000Z"},{"id":"2","name":"a","revokedAt":null}]}"#,
        );
        assert_eq!(id_among(&keys, "a", "agent key", "").unwrap(), "2");
    }

    #[test]
    fn an_ambiguous_name_is_refused_with_the_ids_to_use() {
        let clusters =
            list(r#"{"items":[{"id":"1","name":"a"},{"id":"2","name":"b"},{"id":"3","name":"b"}],"nextCursor":null}"#);
        assert_eq!(id_among(&clusters, "a", "cluster", "").unwrap(), "1");
        let error = id_among(&clusters, "b", "cluster", "").unwrap_err();
        assert!(error.to_string().contains("2, 3"));
        let error = id_among(&clusters, "A", "cluster", "Look.").unwrap_err();
        assert_eq!((error.exit, error.remedy.as_deref()), (Exit::Refused, Some("Look.")));
    }
}
