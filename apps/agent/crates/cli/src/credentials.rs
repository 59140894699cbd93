//! Chooses the installation and API key to use. The environment takes precedence over the file. Pure except for
//! `Environment::read`.

use url::Url;

use crate::{
    address::parse_origin,
    config::Config,
    error::{CliError, Exit},
    secret::ApiKey,
};

/// The relevant environment variables. Empty ones count as unset.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) url: Option<String>,
    pub(crate) api_key: Option<String>,
}

impl Environment {
    pub(crate) fn read() -> Self {
        let configured = |name| std::env::var(name).ok().filter(|text| !text.trim().is_empty());
        Self {
            url: configured("PENSTOCK_URL"),
            api_key: configured("PENSTOCK_API_KEY"),
        }
    }

    /// Returns true if both the address and the key are set.
    pub(crate) fn is_complete(&self) -> bool {
        self.url.is_some() && self.api_key.is_some()
    }
}

/// The installation to call and the API key to use.
#[derive(Debug)]
pub(crate) struct Credentials {
    pub(crate) origin: Url,
    pub(crate) api_key: ApiKey,
    /// Where the key was found, for messages.
    pub(crate) source: String,
}

/// The installation to call if no key is needed.
pub(crate) fn resolve_origin(environment: &Environment, config: &Config, profile: &str) -> Result<Url, CliError> {
    let known = config.profiles.get(profile).map(|profile| &profile.url);
    match environment.url.as_ref().or(known) {
        Some(url) => parse_origin(url),
        None => Err(CliError::usage(
            format!("The profile {profile:?} has no address."),
            "Set PENSTOCK_URL, or sign in with `penstock login --url https://app.example.com`.",
        )),
    }
}

/// # Errors
/// Returns an error if there is no key, or if the stored key is for another installation than the environment names.
pub(crate) fn resolve(environment: &Environment, config: &Config, profile: &str) -> Result<Credentials, CliError> {
    let stored = config.profiles.get(profile);
    if let Some(text) = &environment.api_key {
        return Ok(Credentials {
            origin: resolve_origin(environment, config, profile)?,
            api_key: ApiKey::parse(text)?,
            source: "PENSTOCK_API_KEY".to_owned(),
        });
    }
    let Some(stored) = stored else {
        return Err(CliError::new(
            Exit::SignedOut,
            format!("You're not signed in. The profile {profile:?} has no API key."),
            "Sign in with `penstock login`, or set PENSTOCK_URL and PENSTOCK_API_KEY.",
        ));
    };
    let origin = resolve_origin(environment, config, profile)?;
    if origin != parse_origin(&stored.url)? {
        // A key is never sent to an installation other than its own.
        return Err(CliError::new(
            Exit::SignedOut,
            format!(
                "PENSTOCK_URL is {origin}, but the key of the profile {profile:?} is for {}.",
                stored.url
            ),
            "Set PENSTOCK_API_KEY as well, or sign in with `penstock login --profile NAME --url URL`.",
        ));
    }
    Ok(Credentials {
        origin,
        api_key: stored.api_key.clone(),
        source: format!("profile {profile}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Profile;

    fn signed_in() -> Config {
        let mut config = Config::default();
        config.profiles.insert(
            "default".to_owned(),
            Profile {
                url: "https://app.example.com".to_owned(),
                api_key: ApiKey::parse("psk_api_file").unwrap(),
            },
        );
        config
    }

    fn environment(url: Option<&str>, api_key: Option<&str>) -> Environment {
        Environment {
            url: url.map(str::to_owned),
            api_key: api_key.map(str::to_owned),
        }
    }

    #[test]
    fn the_environment_takes_precedence_over_the_file() {
        let found = resolve(
            &environment(Some("https://b.example.com"), Some("psk_api_env")),
            &signed_in(),
            "default",
        )
        .unwrap();
        assert_eq!(found.origin.as_str(), "https://b.example.com/");
        assert_eq!(found.api_key.reveal(), "psk_api_env");
        let found = resolve(&environment(None, Some("psk_api_env")), &signed_in(), "default").unwrap();
        assert_eq!(found.origin.as_str(), "https://app.example.com/");
    }

    #[test]
    fn without_an_environment_the_file_is_used() {
        let found = resolve(&Environment::default(), &signed_in(), "default").unwrap();
        assert_eq!(found.api_key.reveal(), "psk_api_file");
    }

    #[test]
    fn a_stored_key_is_never_sent_to_another_installation() {
        let error = resolve(
            &environment(Some("https://b.example.com"), None),
            &signed_in(),
            "default",
        )
        .unwrap_err();
        assert_eq!(error.exit, Exit::SignedOut);
        let same = environment(Some("https://app.example.com/"), None);
        assert!(resolve(&same, &signed_in(), "default").is_ok());
    }

    #[test]
    fn a_missing_sign_in_is_an_error_that_explains_how() {
        let error = resolve(&Environment::default(), &signed_in(), "other").unwrap_err();
        assert_eq!(error.exit, Exit::SignedOut);
        assert!(error.to_string().contains("penstock login"));
    }
}
