//! Converts error responses: RFC 9457 problem details, and responses that do not come from the API.

use std::time::Duration;

use serde::Deserialize;

use crate::error::{CliError, Exit, FieldError};

#[derive(Deserialize)]
struct Problem {
    title: String,
    #[serde(default)]
    detail: String,
    remedy: Option<String>,
    #[serde(rename = "requestId")]
    request_id: Option<String>,
    #[serde(default)]
    errors: Vec<InvalidField>,
}

#[derive(Deserialize)]
struct InvalidField {
    pointer: String,
    detail: String,
}

/// The parts of an error response.
pub(crate) struct Refusal<'a> {
    pub(crate) status: u16,
    pub(crate) body: &'a str,
    pub(crate) request_id: Option<String>,
    pub(crate) retry_after: Option<Duration>,
}

/// Converts it to an error for people.
pub(crate) fn explain(refusal: Refusal<'_>) -> CliError {
    let Refusal {
        status,
        body,
        request_id,
        retry_after,
    } = refusal;
    let Ok(problem) = serde_json::from_str::<Problem>(body) else {
        return CliError {
            request_id,
            ..CliError::new(
                Exit::Network,
                format!("This is not a response of the Penstock API: HTTP status {status} without problem details."),
                "Check the address (PENSTOCK_URL, or `penstock login --url`). A proxy may also cause this.",
            )
        };
    };
    let wait = retry_after.map(|wait| format!("Try again in {} s.", wait.as_secs().max(1)));
    CliError {
        exit: if status == 401 { Exit::SignedOut } else { Exit::Refused },
        message: if problem.detail.is_empty() {
            problem.title
        } else {
            problem.detail
        },
        fields: problem
            .errors
            .into_iter()
            .map(|InvalidField { pointer, detail }| FieldError {
                field: field_of(&pointer),
                detail,
            })
            .collect(),
        remedy: match status {
            401 => Some(with_login(problem.remedy)),
            429 => wait.or(problem.remedy),
            _ => problem.remedy.or(wait),
        },
        request_id: problem.request_id.or(request_id),
    }
}

fn with_login(remedy: Option<String>) -> String {
    let sign_in = "Sign in with `penstock login`, or set PENSTOCK_API_KEY.";
    remedy.map_or_else(|| sign_in.to_owned(), |remedy| format!("{remedy} {sign_in}"))
}

/// Extracts the field name from `#/name`, `?name` or `/{name}`.
fn field_of(pointer: &str) -> String {
    let bare = pointer
        .trim_start_matches(['#', '?', '/'])
        .trim_matches(['{', '}'])
        .replace("~1", "/")
        .replace("~0", "~");
    if bare.is_empty() { "request".to_owned() } else { bare }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(status: u16, body: &str) -> CliError {
        explain(Refusal {
            status,
            body,
            request_id: Some("from the header".to_owned()),
            retry_after: None,
        })
    }

    #[test]
    fn a_problem_names_the_fields_the_remedy_and_the_request_id() {
        let error = refusal(
            422,
            r##"{"type":"urn:penstock:problem:input_invalid","title":"Unprocessable content","status":422,
                "detail":"Some of the input cannot be used; see errors.","code":"input_invalid","remedy":"Correct it.",
                "requestId":"0199","errors":[{"pointer":"#/name","detail":"Use at most 64 characters."},
                {"pointer":"?limit","detail":"Too big."},{"pointer":"/{clusterId}","detail":"No id."}]}"##,
        );
        assert_eq!(error.exit, Exit::Refused);
        assert_eq!(
            error.to_string(),
            "error: Some of the input cannot be used; see errors.\n  name: Use at most 64 characters.\n  limit: Too big.\n  \
             clusterId: No id.\nWhat to do: Correct it.\nRequest id: 0199"
        );
    }

    #[test]
    fn an_invalid_key_has_its_own_exit_code_and_a_sign_in_hint() {
        let error = refusal(401, r#"{"title":"Unauthorized","detail":"There is no such API key."}"#);
        assert_eq!(error.exit, Exit::SignedOut);
        assert!(error.to_string().contains("penstock login"));
        assert!(error.to_string().contains("from the header"));
    }

    #[test]
    fn too_many_requests_says_how_long_to_wait() {
        let error = explain(Refusal {
            status: 429,
            body: r#"{"title":"Too many requests","detail":"Wait for the seconds in Retry-After, then go on."}"#,
            request_id: None,
            retry_after: Some(Duration::from_secs(58)),
        });
        assert_eq!(error.remedy.as_deref(), Some("Try again in 58 s."));
    }

    #[test]
    fn a_response_of_another_server_is_not_an_api_refusal() {
        assert_eq!(refusal(404, "<html>Not here</html>").exit, Exit::Network);
    }

    #[test]
    fn a_response_cannot_control_the_terminal() {
        let error = refusal(409, "{\"title\":\"t\",\"detail\":\"\\u001b[2Jgone\"}");
        assert!(!error.to_string().contains('\u{1b}'));
    }
}
