//! The error of a command: the problem, the fields at fault, the remedy, and the exit code.

use std::fmt;

/// Exit codes of the process. Scripts rely on these numbers, so they never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The reader of the output closed it early, as `| head` does.
    OutputClosed = 0,
    /// The API refused the request, or it failed.
    Refused = 1,
    /// The command line is invalid.
    Usage = 2,
    /// The user is not signed in, or the key is not valid.
    SignedOut = 3,
    /// No usable response arrived.
    Network = 4,
}

/// An invalid field of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    pub(crate) field: String,
    pub(crate) detail: String,
}

/// An error as people read it.
#[derive(Debug, thiserror::Error)]
pub(crate) struct CliError {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) fields: Vec<FieldError>,
    pub(crate) remedy: Option<String>,
    pub(crate) request_id: Option<String>,
}

impl CliError {
    pub(crate) fn new(exit: Exit, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            fields: Vec::new(),
            remedy: Some(remedy.into()),
            request_id: None,
        }
    }

    pub(crate) fn usage(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message, remedy)
    }

    pub(crate) fn refused(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Exit::Refused, message, remedy)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "error: {}", visible(&self.message))?;
        for FieldError { field, detail } in &self.fields {
            write!(out, "\n  {}: {}", visible(field), visible(detail))?;
        }
        if let Some(remedy) = &self.remedy {
            write!(out, "\nWhat to do: {}", visible(remedy))?;
        }
        if let Some(id) = &self.request_id {
            write!(out, "\nRequest id: {}", visible(id))?;
        }
        Ok(())
    }
}

/// Replaces control characters in foreign text that could affect the terminal.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { '\u{fffd}' } else { character })
        .collect()
}

/// Like [`visible`], but keeps line breaks.
pub(crate) fn visible_lines(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}
