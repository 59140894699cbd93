//! Classifies failures of object storage and keeps the provider's error code for diagnosis. The client library exposes
//! code and message only in its error text.

use penstock_telemetry::{CleanText, ErrorKind, Failure};

use crate::error::with_causes;

/// Error codes of S3, Google Cloud Storage and Azure for wrong or expired credentials.
const CREDENTIAL_CODES: [&str; 8] = [
    "InvalidAccessKeyId",
    "SignatureDoesNotMatch",
    "ExpiredToken",
    "InvalidToken",
    "TokenRefreshRequired",
    "InvalidSecurity",
    "AuthenticationFailed",
    "InvalidAuthenticationInfo",
];

/// Classifies a failure of object storage.
pub(crate) fn classify(error: &object_store::Error) -> Failure {
    let text = with_causes(error);
    // A refused list request has no error kind of its own, only a status.
    let status = status(&text).unwrap_or_default();
    let code = element(&text, "Code").map_or_else(|| status.clone(), ToOwned::to_owned);
    let class = match error {
        _ if code == "RequestTimeTooSkewed" => "clock-skewed",
        _ if CREDENTIAL_CODES.contains(&code.as_str()) => "credentials",
        object_store::Error::PermissionDenied { .. } => "access-denied",
        object_store::Error::Unauthenticated { .. } => "credentials",
        _ if status == "403" => "access-denied",
        _ if status == "401" => "credentials",
        _ if code == "NoSuchBucket" || code == "ContainerNotFound" => "no-bucket",
        object_store::Error::NotFound { .. } => "missing",
        _ => class_of_text(&text, &code),
    };
    Failure {
        class,
        code: CleanText::clean(&code),
        message: CleanText::clean(element(&text, "Message").unwrap_or(&text)),
    }
}

fn class_of_text(text: &str, code: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    if says(&["permission denied", "operation not permitted"]) {
        "access-denied"
    } else if says(&["169.254.169.254", "credential", "web identity"]) {
        "credentials"
    } else if says(&["slowdown", "429 too many", "toomanyrequests", "serverbusy"]) {
        "throttled"
    } else if says(&["timed out", "timeout", "deadline"]) {
        "timeout"
    } else if says(&["error sending request", "connect", "dns"]) {
        "network"
    } else if code.starts_with('5') || code == "InternalError" || code == "ServiceUnavailable" {
        "server"
    } else {
        "other"
    }
}

/// The failure to report if the deadline passes without a response.
pub(crate) fn no_answer(last: Option<Failure>) -> Failure {
    last.unwrap_or_else(|| Failure {
        class: "timeout",
        code: CleanText::default(),
        message: CleanText::clean("timed out"),
    })
}

/// Whether the agent's permissions or the store caused the failure.
pub(crate) fn kind_of(failure: &Failure) -> ErrorKind {
    match failure.class {
        "access-denied" | "credentials" => ErrorKind::Permission,
        _ => ErrorKind::Store,
    }
}

/// The text of the first XML element with this name.
fn element<'text>(text: &'text str, name: &str) -> Option<&'text str> {
    let after = text.split_once(&format!("<{name}>"))?.1;
    Some(after.split_once(&format!("</{name}>"))?.0.trim()).filter(|text| !text.is_empty())
}

/// The HTTP status in an error of the client library.
fn status(text: &str) -> Option<String> {
    let after = text.split_once("status code: ")?.1;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    Some(digits).filter(|digits| digits.len() == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generic(text: &str) -> object_store::Error {
        object_store::Error::Generic {
            store: "S3",
            source: text.to_owned().into(),
        }
    }

    fn denied(text: &str) -> object_store::Error {
        object_store::Error::PermissionDenied {
            path: "x".to_owned(),
            source: text.to_owned().into(),
        }
    }

    fn s3(status: &str, code: &str) -> String {
        format!(
            "Server returned non-2xx status code: {status}: <Error><Code>{code}</Code><Message>Because.</Message><AWSAccessKeyId>AKIAIOSFODNN7EXAMPLE</AWSAccessKeyId></Error>"
        )
    }

    #[test]
    fn the_providers_error_determines_the_class() {
        for (error, class, code) in [
            (
                generic(&s3("403 Forbidden", "AccessDenied")),
                "access-denied",
                "AccessDenied",
            ),
            (
                denied(&s3("403 Forbidden", "AccessDenied")),
                "access-denied",
                "AccessDenied",
            ),
            (
                denied(&s3("403 Forbidden", "SignatureDoesNotMatch")),
                "credentials",
                "SignatureDoesNotMatch",
            ),
            (
                denied(&s3("403 Forbidden", "RequestTimeTooSkewed")),
                "clock-skewed",
                "RequestTimeTooSkewed",
            ),
            (
                generic(&s3("400 Bad Request", "ExpiredToken")),
                "credentials",
                "ExpiredToken",
            ),
            (
                generic(&s3("503 Service Unavailable", "SlowDown")),
                "throttled",
                "SlowDown",
            ),
            (
                generic("Server returned non-2xx status code: 500 Internal Server Error: "),
                "server",
                "500",
            ),
            (generic("HTTP error: error sending request"), "network", ""),
            (generic("HTTP error: operation timed out"), "timeout", ""),
            (
                generic("Error performing PUT http://169.254.169.254/latest/api/token"),
                "credentials",
                "",
            ),
            (generic("Permission denied (os error 13)"), "access-denied", ""),
        ] {
            let failure = classify(&error);
            assert_eq!((failure.class, failure.code.as_str()), (class, code), "{error}");
        }
    }

    #[test]
    fn the_message_is_the_providers_and_contains_no_key() {
        let failure = classify(&denied(&s3("403 Forbidden", "AccessDenied")));
        assert_eq!(failure.message.as_str(), "Because.");
        let whole = classify(&generic("refused AKIAIOSFODNN7EXAMPLE"));
        assert!(!whole.message.as_str().contains("AKIA"), "{whole:?}");
    }

    #[test]
    fn only_a_refusal_of_this_agent_is_a_permission_problem() {
        assert_eq!(kind_of(&classify(&denied(""))), ErrorKind::Permission);
        assert_eq!(kind_of(&classify(&generic("timed out"))), ErrorKind::Store);
        assert_eq!(kind_of(&no_answer(None)), ErrorKind::Store);
    }
}
