//! The configuration file that `penstock login` writes, with one address and key per profile. Readable only by its
//! owner.

use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, OpenOptions},
    io::{ErrorKind, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{error::CliError, secret::ApiKey};

const HEAD: &str = "# Written by `penstock login`. It holds secrets: keep it to yourself.\n\n";
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;

/// An installation and a key for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Profile {
    pub(crate) url: String,
    pub(crate) api_key: ApiKey,
}

/// The contents of the file.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Config {
    #[serde(default)]
    pub(crate) profiles: BTreeMap<String, Profile>,
}

/// The path of the file.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    path: PathBuf,
}

impl ConfigFile {
    pub(crate) fn at(path: PathBuf) -> Self {
        Self { path }
    }

    /// The path `$XDG_CONFIG_HOME/penstock/config.toml`, or else `~/.config/penstock/config.toml`.
    pub(crate) fn of_user() -> Result<Self, CliError> {
        let absolute = |name| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
        match folder {
            Some(folder) => Ok(Self::at(folder.join("penstock").join("config.toml"))),
            None => Err(CliError::usage(
                "There is no configuration folder, because neither XDG_CONFIG_HOME nor HOME is set.",
                "Set HOME, or use PENSTOCK_URL and PENSTOCK_API_KEY instead of the file.",
            )),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Loads the file; returns an empty configuration if there is none.
    pub(crate) fn load(&self) -> Result<Config, CliError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            Err(error) => return Err(self.failure("can't be read", &error.to_string())),
        };
        // The parser's error would quote the line and thereby the key.
        basic_toml::from_str(&text).map_err(|_| {
            self.failure(
                "is invalid",
                "expected a [profiles.NAME] with url and api_key for each profile",
            )
        })
    }

    /// Replaces the file atomically, so that it is never incomplete or readable by others.
    pub(crate) fn save(&self, config: &Config) -> Result<(), CliError> {
        let text =
            basic_toml::to_string(config).map_err(|error| self.failure("can't be written", &error.to_string()))?;
        self.replace(&format!("{HEAD}{text}"))
            .map_err(|error| self.failure("can't be written", &error.to_string()))
    }

    fn replace(&self, text: &str) -> std::io::Result<()> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
        let draft = folder.join(format!(".config.{}.toml", uuid::Uuid::new_v4()));
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(FILE_MODE)
            .open(&draft)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&draft, &self.path));
        if written.is_err() {
            // The draft contains the key, so it is removed. The write error is the one to report.
            let _ = fs::remove_file(&draft);
        }
        written
    }

    fn failure(&self, what: &str, why: &str) -> CliError {
        CliError::refused(
            format!("{} {what}: {why}.", self.path.display()),
            "Fix the file or its permissions, or delete it and sign in again with `penstock login`.",
        )
    }
}

/// Parses the name of a profile.
pub(crate) fn parse_profile_name(text: &str) -> Result<String, String> {
    let is_name = (1..=64).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    if is_name {
        Ok(text.to_owned())
    } else {
        Err("use 1 to 64 letters, digits, dashes and underscores".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn profile(url: &str) -> Profile {
        Profile {
            url: url.to_owned(),
            api_key: ApiKey::parse("psk_api_secret").unwrap(),
        }
    }

    #[test]
    fn saved_profiles_load_and_only_the_owner_can_read_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::at(folder.path().join("penstock/config.toml"));
        assert_eq!(file.load().unwrap(), Config::default());
        let mut config = Config::default();
        config
            .profiles
            .insert("default".to_owned(), profile("https://a.example.com"));
        config
            .profiles
            .insert("staging-1".to_owned(), profile("http://localhost:3000"));
        file.save(&config).unwrap();
        assert_eq!(file.load().unwrap(), config);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(file.path()), 0o600);
        assert_eq!(mode(file.path().parent().unwrap()), 0o700);
    }

    #[test]
    fn saving_makes_a_readable_file_private_and_leaves_no_draft() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::at(folder.path().join("config.toml"));
        fs::write(file.path(), "").unwrap();
        fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
        file.save(&Config::default()).unwrap();
        assert_eq!(fs::metadata(file.path()).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_broken_file_is_an_error_that_does_not_quote_the_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = ConfigFile::at(folder.path().join("config.toml"));
        fs::write(file.path(), "[profiles.default]\napi_key = \"psk_api_secret\nurl = 1").unwrap();
        let error = file.load().unwrap_err().to_string();
        assert!(error.contains("config.toml"));
        assert!(!error.contains("psk_api_secret"));
    }

    #[test]
    fn profile_names_are_plain() {
        assert!(parse_profile_name("staging-1").is_ok());
        for wrong in ["", "a.b", "a b", "[x]", &"x".repeat(65)] {
            assert!(parse_profile_name(wrong).is_err(), "{wrong}");
        }
    }
}
