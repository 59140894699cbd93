//! Which installation is asked, and with which key: the environment wins over the file. Pure but for `Environment::read`.

use url::Url;

use crate::{
    address::parse_origin,
    config::Config,
    error::{CliError, Exit},
    secret::ApiKey,
};

/// What the environment says; empty counts as not set.
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

    /// Whether it says where and as whom.
    pub(crate) fn is_complete(&self) -> bool {
        self.url.is_some() && self.api_key.is_some()
    }
}

/// Whom to ask, and as whom.
#[derive(Debug)]
pub(crate) struct Credentials {
    pub(crate) origin: Url,
    pub(crate) api_key: ApiKey,
    /// For people: where the key was found.
    pub(crate) source: String,
}

/// The installation to ask when no key is needed.
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
/// When there is no key, or the one in the file is for another installation than the environment names.
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
        // A key never goes to an installation that it was not issued for.
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
    fn the_environment_wins_over_the_file() {
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
    fn a_stored_key_never_goes_to_another_installation() {
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
    fn whoever_is_not_signed_in_is_told_how_to() {
        let error = resolve(&Environment::default(), &signed_in(), "other").unwrap_err();
        assert_eq!(error.exit, Exit::SignedOut);
        assert!(error.to_string().contains("penstock login"));
    }
}
