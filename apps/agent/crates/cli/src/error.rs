//! The one error of the command line: what went wrong, where in the input, what to do, and the code that the process ends with.

use std::fmt;

/// What the process ends with. Scripts rely on these numbers: never renumbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Whoever read the output wanted no more of it, e.g. `| head`.
    OutputClosed = 0,
    /// The API refused, or it could not be done.
    Refused = 1,
    /// The command line cannot be used as it was given.
    Usage = 2,
    /// Not signed in, or the key does not open.
    SignedOut = 3,
    /// No usable answer came back.
    Network = 4,
}

/// One field of the input that cannot be used.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FieldError {
    pub(crate) field: String,
    pub(crate) detail: String,
}

/// An error as a person reads it.
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

/// Text from elsewhere without what could steer a terminal.
pub(crate) fn visible(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { '\u{fffd}' } else { character })
        .collect()
}

/// The same for text of several lines.
pub(crate) fn visible_lines(text: &str) -> String {
    text.lines().map(|line| visible(line) + "\n").collect()
}
