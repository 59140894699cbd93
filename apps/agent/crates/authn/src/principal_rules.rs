//! Kafka's `ssl.principal.mapping.rules`, which map the subject of a client certificate to the name of its principal.

use std::str::FromStr;

use regex::{Captures, Regex};
use thiserror::Error;

/// Why a list of rules is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RuleError {
    /// The rule is neither `DEFAULT` nor `RULE:…`.
    #[error("{0:?} is not a rule. Write DEFAULT, or RULE:pattern/replacement/ followed by L, U or nothing")]
    Malformed(String),
    /// The pattern is not a regular expression.
    #[error("the pattern {pattern:?} is not a regular expression: {reason}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// The reason for the refusal.
        reason: String,
    },
    /// The replacement refers to a group that the pattern does not have.
    #[error("the replacement {replacement:?} refers to a group that the pattern {pattern:?} does not have")]
    Group {
        /// The pattern as given.
        pattern: String,
        /// The replacement as given.
        replacement: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letters {
    AsTheyAre,
    Lower,
    Upper,
}

#[derive(Debug, Clone)]
enum Rule {
    /// Uses the whole subject.
    Default,
    Replace {
        pattern: Regex,
        replacement: Vec<Piece>,
        letters: Letters,
    },
}

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    Group(usize),
}

/// Rules in the order in which they are tried. A pattern must match the whole subject, and matching takes time linear
/// in its length.
#[derive(Debug, Clone)]
pub struct PrincipalRules(Vec<Rule>);

impl Default for PrincipalRules {
    /// Uses the whole subject, as in Kafka.
    fn default() -> Self {
        Self(vec![Rule::Default])
    }
}

impl PrincipalRules {
    /// The principal's name for a subject such as `CN=orders,OU=shop`; `None` if no rule matches or the name would be
    /// empty.
    #[must_use]
    pub fn name(&self, subject: &str) -> Option<String> {
        let name = self.0.iter().find_map(|rule| rule.apply(subject))?;
        (!name.is_empty()).then_some(name)
    }
}

impl Rule {
    fn apply(&self, subject: &str) -> Option<String> {
        match self {
            Self::Default => Some(subject.to_owned()),
            Self::Replace {
                pattern,
                replacement,
                letters,
            } => {
                let groups = pattern.captures(subject)?;
                let name: String = replacement.iter().map(|piece| piece.fill(&groups)).collect();
                Some(match letters {
                    Letters::AsTheyAre => name,
                    Letters::Lower => name.to_lowercase(),
                    Letters::Upper => name.to_uppercase(),
                })
            }
        }
    }
}

impl Piece {
    fn fill<'a>(&'a self, groups: &'a Captures<'_>) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Group(number) => groups.get(*number).map_or("", |group| group.as_str()),
        }
    }
}

impl FromStr for PrincipalRules {
    type Err = RuleError;

    fn from_str(list: &str) -> Result<Self, RuleError> {
        let mut rules = Vec::new();
        let mut rest = list.trim();
        while !rest.is_empty() {
            let (rule, after) = take_rule(rest)?;
            rules.push(rule);
            let after = after.trim_start();
            rest = match after.strip_prefix(',') {
                Some(next) => next.trim_start(),
                None if after.is_empty() => after,
                None => return Err(RuleError::Malformed(after.to_owned())),
            };
        }
        match rules.is_empty() {
            true => Ok(Self::default()),
            false => Ok(Self(rules)),
        }
    }
}

/// Splits off the first rule of a list.
fn take_rule(list: &str) -> Result<(Rule, &str), RuleError> {
    let malformed = || RuleError::Malformed(list.to_owned());
    if let Some(after) = list.strip_prefix("DEFAULT") {
        return Ok((Rule::Default, after));
    }
    let rule = list.strip_prefix("RULE:").ok_or_else(malformed)?;
    let (pattern, after) = split_at_slash(rule).ok_or_else(malformed)?;
    let (replacement, after) = split_at_slash(after).ok_or_else(malformed)?;
    let (letters, after) = match after.chars().next() {
        Some('L') => (Letters::Lower, &after[1..]),
        Some('U') => (Letters::Upper, &after[1..]),
        _ => (Letters::AsTheyAre, after),
    };
    let whole = Regex::new(&format!("^(?:{pattern})$")).map_err(|error| RuleError::Pattern {
        pattern: pattern.to_owned(),
        reason: error.to_string(),
    })?;
    let replacement = pieces(replacement, whole.captures_len()).ok_or_else(|| RuleError::Group {
        pattern: pattern.to_owned(),
        replacement: replacement.to_owned(),
    })?;
    let rule = Rule::Replace {
        pattern: whole,
        replacement,
        letters,
    };
    Ok((rule, after))
}

/// Splits the text at the first slash that has no backslash before it.
fn split_at_slash(text: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '/' => return Some((&text[..at], &text[at + 1..])),
            _ => {}
        }
    }
    None
}

/// Parses Java's replacement syntax: `$1` is a group, and a backslash makes the next character literal. `None` if a
/// group does not exist.
fn pieces(replacement: &str, groups: usize) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut letters = replacement.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            '$' if letters.peek().is_some_and(char::is_ascii_digit) => {
                let mut number = 0;
                // As many digits as still name a group.
                while let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(10)) {
                    let longer = number * 10 + digit as usize;
                    if number > 0 && longer >= groups {
                        break;
                    }
                    number = longer;
                    letters.next();
                }
                if number >= groups {
                    return None;
                }
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Group(number));
            }
            other => text.push(other),
        }
    }
    pieces.push(Piece::Text(text));
    Some(pieces)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(rules: &str, subject: &str) -> Option<String> {
        rules.parse::<PrincipalRules>().unwrap().name(subject)
    }

    #[test]
    fn the_examples_in_kafkas_documentation_give_its_names() {
        let rules = r"RULE:^CN=(.*?),OU=ServiceUsers.*$/$1/,RULE:^CN=(.*?),OU=(.*?),O=(.*?),L=(.*?),ST=(.*?),C=(.*?)$/$1@$2/L,RULE:^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$/$1/L,DEFAULT";
        let cases = [
            (
                "CN=serviceuser,OU=ServiceUsers,O=Unknown,L=Unknown,ST=Unknown,C=Unknown",
                "serviceuser",
            ),
            (
                "CN=adminUser,OU=Admin,O=Unknown,L=Unknown,ST=Unknown,C=Unknown",
                "adminuser@admin",
            ),
            ("O=x,CN=Some.One,OU=y", "some.one"),
            ("OU=nobody", "OU=nobody"),
        ];
        for (subject, expected) in cases {
            assert_eq!(name(rules, subject).as_deref(), Some(expected), "{subject}");
        }
    }

    #[test]
    fn without_rules_the_name_is_the_subject() {
        assert_eq!(name("", "CN=x,O=y").as_deref(), Some("CN=x,O=y"));
        assert_eq!(name("DEFAULT", "CN=x").as_deref(), Some("CN=x"));
    }

    #[test]
    fn a_subject_that_no_rule_matches_in_full_has_no_name() {
        assert_eq!(name("RULE:CN=(a+)/$1/", "CN=aaa,OU=b"), None);
        assert_eq!(name("RULE:CN=(.*)/$1/", "CN="), None);
    }

    #[test]
    fn rules_can_change_case_and_escape_slashes_and_dollars() {
        assert_eq!(
            name(r"RULE:CN=(\w+)\/(\w+)/$2-\$1\/$1/U", "CN=a/b").as_deref(),
            Some("B-$1/A")
        );
    }

    #[test]
    fn refuses_an_invalid_list_with_the_reason() {
        for list in ["CN=x", "RULE:a", "RULE:a/b", "RULE:a/b/X", "DEFAULT RULE:a/b/"] {
            assert!(
                matches!(list.parse::<PrincipalRules>(), Err(RuleError::Malformed(_))),
                "{list}"
            );
        }
        assert!(matches!(
            "RULE:(/b/".parse::<PrincipalRules>(),
            Err(RuleError::Pattern { .. })
        ));
        assert!(matches!(
            "RULE:(a)/$2/".parse::<PrincipalRules>(),
            Err(RuleError::Group { .. })
        ));
    }

    proptest! {
        #[test]
        fn no_list_and_no_subject_panics(list in ".{0,60}", subject in ".{0,60}") {
            if let Ok(rules) = list.parse::<PrincipalRules>() {
                let _ = rules.name(&subject);
            }
        }
    }
}
