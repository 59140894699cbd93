//! The last failure of each kind, as text that can leave this machine: short, on one line, and without secrets.
use std::time::Duration;

use parking_lot::Mutex;
use penstock_runtime::Instant;

/// The component that failed. The numbers are those of `ErrorKind` in the RPC contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ErrorKind {
    /// Object storage failed or did not respond.
    Store = 1,
    /// The metadata service failed or did not respond.
    Metadata = 2,
    /// Object storage refused this agent.
    Permission = 3,
}

/// Text without secrets: one line of at most [`CleanText::MAX_CHARS`] characters. Anything that looks like a key, a
/// token or a signed URL is removed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CleanText(String);

impl CleanText {
    /// Maximum length that the control plane accepts.
    pub const MAX_CHARS: usize = 240;

    /// Removes secrets and line breaks from a text.
    #[must_use]
    pub fn clean(text: &str) -> Self {
        let printable: String = text
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let words: Vec<String> = printable.split_whitespace().map(clean_word).collect();
        let joined = words.join(" ");
        if joined.chars().count() <= Self::MAX_CHARS {
            return Self(joined);
        }
        let mut cut: String = joined.chars().take(Self::MAX_CHARS - 1).collect();
        cut.push('…');
        Self(cut)
    }

    /// Returns the cleaned text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// URL queries contain signatures, and user info contains passwords; long runs of letters and digits are keys and
/// tokens.
fn clean_word(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(scheme_end) = word.find("://") {
        if let Some(query) = word.find('?') {
            word.truncate(query);
            word.push_str("?…");
        }
        let host = scheme_end + 3;
        let host_end = word[host..].find('/').map_or(word.len(), |slash| host + slash);
        if let Some(at) = word[host..host_end].rfind('@') {
            word.replace_range(host..=host + at, "");
        }
    }
    let mut cleaned = String::with_capacity(word.len());
    let mut run = String::new();
    for letter in word.chars() {
        if letter.is_ascii_alphanumeric() || matches!(letter, '+' | '=' | '_') {
            run.push(letter);
        } else {
            cleaned.push_str(shown(&run));
            run.clear();
            cleaned.push(letter);
        }
    }
    cleaned.push_str(shown(&run));
    cleaned
}

const MIN_SECRET: usize = 20;

fn shown(run: &str) -> &str {
    let is_key_id = run.len() >= 16 && (run.starts_with("AKIA") || run.starts_with("ASIA"));
    let is_token = run.len() >= MIN_SECRET && run.bytes().any(|letter| letter.is_ascii_digit());
    if is_key_id || is_token { "…" } else { run }
}

/// A failure as it is reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The class of the failure, such as `access-denied`.
    pub class: &'static str,
    /// The other side's code, such as `SlowDown` or `503`; may be empty.
    pub code: CleanText,
    /// The message for people.
    pub message: CleanText,
}

/// The last failure of a kind.
#[derive(Debug, Clone)]
pub struct LastError {
    /// The component that failed.
    pub kind: ErrorKind,
    /// The details of the failure.
    pub failure: Failure,
    /// Time of the last occurrence.
    pub at: Instant,
}

/// Interval at which an ongoing failure is reported again.
const REPORT_AGAIN_AFTER: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
struct State {
    errors: Vec<LastError>,
    reported: Vec<(ErrorKind, Instant)>,
    revision: u64,
}

/// The last failure of each kind. Uses a lock, because failures are rare.
#[derive(Debug, Default)]
pub struct LastErrors {
    state: Mutex<State>,
}

impl LastErrors {
    /// Records a failure that occurred now.
    pub fn record(&self, kind: ErrorKind, failure: Failure) {
        self.record_at(kind, failure, Instant::now());
    }

    fn record_at(&self, kind: ErrorKind, failure: Failure, at: Instant) {
        let mut state = self.state.lock();
        let known = state.errors.iter().position(|error| error.kind == kind);
        let reported = state.reported.iter().position(|(reported, _)| *reported == kind);
        let is_new = match (known, reported) {
            (Some(known), Some(reported)) => {
                state.errors[known].failure.class != failure.class
                    || state.errors[known].failure.code != failure.code
                    || at.saturating_duration_since(state.reported[reported].1) >= REPORT_AGAIN_AFTER
            }
            _ => true,
        };
        state.errors.retain(|error| error.kind != kind);
        state.errors.push(LastError { kind, failure, at });
        if is_new {
            state.reported.retain(|(reported, _)| *reported != kind);
            state.reported.push((kind, at));
            state.revision += 1;
        }
    }

    /// Returns the last failures, at most one of each kind.
    #[must_use]
    pub fn all(&self) -> Vec<LastError> {
        self.state.lock().errors.clone()
    }

    /// Increases when there is something new to report.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.state.lock().revision
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(class: &'static str, message: &str) -> Failure {
        Failure {
            class,
            code: CleanText::clean("503"),
            message: CleanText::clean(message),
        }
    }

    #[test]
    fn credentials_do_not_leave_the_machine() {
        let cleaned = CleanText::clean(
            "GET https://me:pa55word@b.s3.amazonaws.com/x/y?X-Amz-Credential=AKIA&X-Amz-Signature=0123 failed:\n key AKIAIOSFODNNEXAMPLE, token=FwoGZXIvYXdzEBYaDH0123456789abcdef",
        );
        assert_eq!(
            cleaned.as_str(),
            "GET https://b.s3.amazonaws.com/x/y?… failed: key …, …"
        );
    }

    #[test]
    fn keeps_helpful_names() {
        let text = "User: arn:aws:sts::123456789012:assumed-role/agents/i-0abc is not authorized to perform: s3:PutObject on clusters/01a1b2c3-0000-7000-8000-0123456789ab";
        assert_eq!(CleanText::clean(text).as_str(), text);
    }

    #[test]
    fn text_is_always_one_line_of_bounded_length() {
        let cleaned = CleanText::clean(&"wörter\u{0}\r\n".repeat(200));
        assert_eq!(cleaned.as_str().chars().count(), CleanText::MAX_CHARS);
        assert!(!cleaned.as_str().contains(char::is_control));
    }

    #[test]
    fn keeps_the_last_failure_of_each_kind_and_reports_changes() {
        let errors = LastErrors::default();
        let start = Instant::now();
        errors.record_at(ErrorKind::Store, failure("server", "a"), start);
        errors.record_at(ErrorKind::Metadata, failure("timeout", "b"), start);
        let reported = errors.revision();
        errors.record_at(ErrorKind::Store, failure("server", "c"), start + Duration::from_secs(5));
        assert_eq!(errors.revision(), reported);
        let state = errors.all();
        assert_eq!(state.len(), 2);
        let store = state.iter().find(|error| error.kind == ErrorKind::Store).unwrap();
        assert_eq!(store.failure.message.as_str(), "c");
        assert_eq!(store.at, start + Duration::from_secs(5));
        errors.record_at(ErrorKind::Store, failure("server", "d"), start + REPORT_AGAIN_AFTER);
        assert_eq!(errors.revision(), reported + 1);
        errors.record_at(ErrorKind::Store, failure("throttled", "e"), start + REPORT_AGAIN_AFTER);
        assert_eq!(errors.revision(), reported + 2);
    }
}
