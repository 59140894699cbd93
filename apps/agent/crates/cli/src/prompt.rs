//! Prompts on the terminal, and their replacement if there is no terminal.

use std::io::{BufRead as _, IsTerminal as _, Read as _, Write as _};

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use crate::error::CliError;

/// Far longer than any key or name.
const MAX_LINE_BYTES: u64 = 4_096;

/// Returns true if a person can answer a prompt.
pub(crate) fn is_interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Reads one line from standard input, after a prompt if there is a terminal.
pub(crate) fn ask(question: &str) -> Result<String, CliError> {
    if is_interactive() {
        eprint!("{question}");
        let _ = std::io::stderr().flush();
    }
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(MAX_LINE_BYTES)
        .read_line(&mut line)
        .map_err(|error| {
            CliError::usage(
                format!("Can't read standard input: {error}."),
                "Enter one line of text.",
            )
        })?;
    Ok(line.trim().to_owned())
}

/// Like [`ask`], without showing the input.
pub(crate) fn ask_secret(question: &str) -> Result<String, CliError> {
    let _echo_off = EchoOff::begin();
    ask(question)
}

/// Turns off terminal echo until it is dropped.
struct EchoOff(Option<Termios>);

impl EchoOff {
    fn begin() -> Self {
        let stdin = std::io::stdin();
        let Ok(before) = tcgetattr(&stdin) else {
            // Without a terminal, nothing is shown anyway.
            return Self(None);
        };
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        // The newline is still echoed, so that later output begins on a new line.
        silent.local_modes.insert(LocalModes::ECHONL);
        let is_silent = tcsetattr(&stdin, OptionalActions::Flush, &silent).is_ok();
        Self(is_silent.then_some(before))
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // Nothing can be done about a terminal that is gone.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}

/// Asks for confirmation of an irreversible action: the user must type the exact `name`.
///
/// # Errors
/// Returns an error if the input differs, or if there is no terminal and no `--yes`.
pub(crate) fn confirm(is_agreed: bool, consequence: &str, name: &str) -> Result<(), CliError> {
    if is_agreed {
        return Ok(());
    }
    if !is_interactive() {
        return Err(CliError::usage(
            format!("{consequence} There is no terminal to confirm this."),
            "To continue, use --yes.",
        ));
    }
    let shown = crate::error::visible(name);
    let typed = ask(&format!(
        "{}\nType {shown} to continue: ",
        crate::error::visible(consequence)
    ))?;
    if typed == name {
        Ok(())
    } else {
        Err(CliError::refused(
            "The name doesn't match. Nothing was changed.",
            format!("Enter {shown} exactly as shown."),
        ))
    }
}
