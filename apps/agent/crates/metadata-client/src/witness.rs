//! The newest journal position that the metadata service has sent. Every call returns it, so that a service that lost
//! acknowledged entries, for example in a failover to a lagging replica, can detect this.

use http::{HeaderName, HeaderValue};
use parking_lot::Mutex;

/// Header of requests and responses.
pub(crate) const JOURNAL_POSITION: HeaderName = HeaderName::from_static("penstock-journal-position");
const HASH_HEX_DIGITS: usize = 64;

/// Remembers the newest position. Its hash is opaque.
#[derive(Debug, Default)]
pub(crate) struct Witness {
    newest: Mutex<Option<Newest>>,
}

#[derive(Debug)]
struct Newest {
    order: (u64, u64),
    text: HeaderValue,
}

impl Witness {
    /// Keeps a position if it is newer than the known one. If two entries have the same number, the first is kept,
    /// because one of them is lost.
    pub(crate) fn note(&self, text: &str) {
        let (Some(order), Ok(text)) = (order_of(text), HeaderValue::from_str(text)) else {
            return;
        };
        let mut newest = self.newest.lock();
        if newest.as_ref().is_none_or(|known| known.order < order) {
            *newest = Some(Newest { order, text });
        }
    }

    pub(crate) fn newest(&self) -> Option<HeaderValue> {
        let newest = self.newest.lock();
        newest.as_ref().map(|newest| newest.text.clone())
    }
}

/// Parses the history and number of `<history>.<seq>-<hash>`.
fn order_of(text: &str) -> Option<(u64, u64)> {
    let (history, position) = text.split_once('.')?;
    let (seq, hash) = position.split_once('-')?;
    let is_whole = hash.len() == HASH_HEX_DIGITS;
    is_whole.then_some((history.parse().ok()?, seq.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(history: u64, seq: u64, digit: &str) -> String {
        format!("{history}.{seq}-{}", digit.repeat(HASH_HEX_DIGITS))
    }

    fn newest_of(texts: &[String]) -> Option<String> {
        let witness = Witness::default();
        for text in texts {
            witness.note(text);
        }
        witness.newest().map(|text| text.to_str().unwrap().to_owned())
    }

    #[test]
    fn keeps_the_newest_position_in_any_order_of_responses() {
        let newest = position(0, 10, "a");
        assert_eq!(
            newest_of(&[position(0, 9, "a"), newest.clone(), position(0, 8, "a")]),
            Some(newest)
        );
    }

    #[test]
    fn keeps_the_first_of_two_entries_with_the_same_number() {
        let first = position(0, 10, "a");
        assert_eq!(newest_of(&[first.clone(), position(0, 10, "b")]), Some(first));
    }

    #[test]
    fn a_new_history_is_newer_than_any_position_of_the_old_one() {
        let newest = position(1, 3, "b");
        assert_eq!(newest_of(&[position(0, 10, "a"), newest.clone()]), Some(newest));
    }

    #[test]
    fn ignores_malformed_positions() {
        for text in ["", "1", "0.1-", "0.1-aa", "x.1-y", "-1.2-3"] {
            assert_eq!(newest_of(&[text.to_owned()]), None, "{text}");
        }
    }
}
