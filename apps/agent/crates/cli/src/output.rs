//! Prints responses to standard output, and messages about them to standard error.

use std::io::{ErrorKind, IsTerminal as _, Write as _};

use serde::de::DeserializeOwned;

use crate::{
    client::Answer,
    error::{CliError, Exit},
    table::{Table, draw_facts},
};

/// How responses are printed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// Print the API's JSON instead of tables.
    pub(crate) is_json: bool,
    /// Print headings in bold.
    has_style: bool,
}

impl Output {
    pub(crate) fn new(is_json: bool) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|value| value == "dumb");
        Self {
            is_json,
            has_style: std::io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
        }
    }

    /// Output of tables without style, whatever the terminal.
    #[cfg(test)]
    pub(crate) fn plain() -> Self {
        Self {
            is_json: false,
            has_style: false,
        }
    }

    /// Prints a response: as received for programs, formatted for people.
    pub(crate) fn answer<T: DeserializeOwned>(
        self,
        answer: &Answer,
        draw: impl FnOnce(Self, T) -> String,
    ) -> Result<(), CliError> {
        if self.is_json {
            return self.json(&answer.body);
        }
        print(&draw(self, answer.read()?))
    }

    /// Prints JSON on a line of its own, or nothing if there is no content.
    pub(crate) fn json(self, text: &str) -> Result<(), CliError> {
        if text.is_empty() {
            return Ok(());
        }
        print(&format!("{}\n", text.trim_end()))
    }

    /// Prints text for people and pipes alike.
    pub(crate) fn text(self, text: &str) -> Result<(), CliError> {
        print(text)
    }

    /// Prints a message for people, which programs do not read.
    pub(crate) fn say(self, sentence: &str) {
        if !self.is_json {
            eprintln!("{}", crate::error::visible(sentence));
        }
    }

    /// Formats a table, or returns `when_empty` if it has no rows.
    pub(crate) fn table<const N: usize>(self, table: &Table<N>, when_empty: &str) -> String {
        if table.is_empty() {
            self.say(when_empty);
            return String::new();
        }
        if self.has_style {
            table.draw("\u{1b}[1m", "\u{1b}[0m")
        } else {
            table.draw("", "")
        }
    }

    pub(crate) fn facts(self, facts: &[(&str, String)]) -> String {
        draw_facts(facts)
    }
}

/// Writes text to standard output completely.
pub(crate) fn print(text: &str) -> Result<(), CliError> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(CliError::new(Exit::OutputClosed, "", "")),
        Err(error) => Err(CliError::refused(
            format!("Can't write the output: {error}."),
            "The command succeeded. Free up space or write the output elsewhere.",
        )),
    }
}
