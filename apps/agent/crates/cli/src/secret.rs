//! An API key in memory. It goes only to a request header and the configuration file.

use serde::{Deserialize, Serialize};

use crate::error::CliError;

const PREFIX: &str = "psk_api_";

/// The secret of an API key. It is never printed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ApiKey(String);

impl ApiKey {
    /// Parses a pasted key. Only the API decides whether it is valid.
    ///
    /// # Errors
    /// Returns an error if the text cannot be an API key, without repeating it.
    pub(crate) fn parse(text: &str) -> Result<Self, CliError> {
        const WHERE: &str = "Create one on your organization's API keys page and copy the whole key.";
        let text = text.trim();
        if text.is_empty() {
            return Err(CliError::usage("No API key was given.", WHERE));
        }
        if text.starts_with("psk_agent_") {
            return Err(CliError::usage(
                "This is an agent key. It can't be used for the API.",
                WHERE,
            ));
        }
        let is_whole = text.starts_with(PREFIX) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_whole {
            return Err(CliError::usage(
                format!("This is not an API key. API keys start with {PREFIX} and have no spaces."),
                WHERE,
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the secret. Use it only for the Authorization header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("ApiKey(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_in_neither_debug_output_nor_errors() {
        let key = ApiKey::parse(" psk_api_secret\n").unwrap();
        assert_eq!(key.reveal(), "psk_api_secret");
        assert!(!format!("{key:?}").contains("secret"));
        for wrong in ["secret", "psk_agent_secret", "psk_api_secret secret", "psk_api_sécret"] {
            assert!(
                !ApiKey::parse(wrong).unwrap_err().to_string().contains("cret "),
                "{wrong}"
            );
        }
    }
}
