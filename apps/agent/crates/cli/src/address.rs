//! The address of an installation. An API key is sent only over TLS or within this machine.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::{Host, Url};

use crate::error::CliError;

/// Parses the address of an installation.
///
/// # Errors
/// Returns an error that says what a valid address looks like.
pub(crate) fn parse_origin(text: &str) -> Result<Url, CliError> {
    const EXAMPLE: &str = "Enter only the dashboard's address, such as https://app.example.com.";
    let text = text.trim();
    let refuse = |why: &str| Err(CliError::usage(format!("The address {text:?} {why}."), EXAMPLE));
    let Ok(url) = Url::parse(text) else {
        return refuse("is not a valid URL");
    };
    if !matches!(url.scheme(), "https" | "http") || url.host().is_none() {
        return refuse("doesn't start with https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        // Not repeated in the error, because it may contain a password.
        return Err(CliError::usage(
            "The address contains a user name or password.",
            EXAMPLE,
        ));
    }
    if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
        return refuse("contains more than the host");
    }
    if url.scheme() == "http" && !is_loopback(&url) {
        return Err(CliError::usage(
            format!("The address {text:?} doesn't use TLS, so others on the network could read the API key."),
            "Use https://. Plain http:// is allowed only for this machine (localhost, 127.0.0.1, [::1]).",
        ));
    }
    Ok(url)
}

/// Returns true if requests to this address stay on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Characters that are not encoded in a path segment. Tabs and newlines must be encoded, because the URL parser drops
/// them.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
/// Path segment in place of a name that cannot be part of a path.
const NAMED_IN_QUERY: &str = "-";

/// The URL of an API resource. Segments are encoded, so that none can lead elsewhere. Clients resolve `.` and `..` in
/// paths however they are encoded, so such names go in the query.
///
/// # Errors
/// Returns an error for a segment that a URL cannot contain.
pub(crate) fn resource(origin: &Url, segments: &[&str], query: &[(&str, &str)]) -> Result<Url, CliError> {
    let mut path = String::from("/api/v1");
    let mut named_in_query = None;
    let mut collection = "";
    for segment in segments {
        path.push('/');
        match (*segment, parameter_of(collection)) {
            ("." | "..", Some(parameter)) => {
                named_in_query = Some((parameter, *segment));
                path.push_str(NAMED_IN_QUERY);
            }
            ("" | "." | "..", _) => {
                return Err(CliError::usage(
                    format!("{segment:?} is not a valid name."),
                    "Enter the full name.",
                ));
            }
            _ => path.extend(utf8_percent_encode(segment, UNRESERVED)),
        }
        collection = segment;
    }
    let mut url = origin.clone();
    url.set_path(&path);
    if !query.is_empty() || named_in_query.is_some() {
        url.query_pairs_mut().extend_pairs(named_in_query).extend_pairs(query);
    }
    Ok(url)
}

/// The query parameter for names in a collection whose names Kafka clients choose freely.
fn parameter_of(collection: &str) -> Option<&'static str> {
    match collection {
        "consumer-groups" => Some("groupId"),
        "transactions" => Some("transactionalId"),
        "users" => Some("user"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Exit;

    #[test]
    fn a_key_is_sent_only_over_tls_or_to_this_machine() {
        for good in [
            "https://app.example.com",
            " https://app.example.com/ ",
            "https://10.0.0.7:8443",
            "http://localhost:3000",
            "http://127.0.0.1:3000",
            "http://127.9.9.9",
            "http://[::1]:3000/",
        ] {
            assert!(parse_origin(good).is_ok(), "{good}");
        }
        for bad in [
            "http://app.example.com",
            "http://10.0.0.7:3000",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "ftp://localhost",
            "app.example.com",
            "localhost:3000",
            "https://",
            "https://app.example.com/api/v1",
            "https://app.example.com/?x=1",
            "",
        ] {
            assert_eq!(parse_origin(bad).unwrap_err().exit, Exit::Usage, "{bad}");
        }
    }

    #[test]
    fn refuses_a_password_in_an_address_without_repeating_it() {
        let error = parse_origin("https://ada:hunter2@app.example.com").unwrap_err();
        assert!(!error.to_string().contains("hunter2"));
    }

    #[test]
    fn a_name_cannot_lead_to_another_resource() {
        let origin = parse_origin("https://app.example.com").unwrap();
        let url = resource(&origin, &["clusters", "a/../b?c#d"], &[("confirmation", "a&b=c")]).unwrap();
        assert_eq!(
            url.as_str(),
            "https://app.example.com/api/v1/clusters/a%2F..%2Fb%3Fc%23d?confirmation=a%26b%3Dc"
        );
        assert!(resource(&origin, &["clusters", ".."], &[]).is_err());
        assert!(resource(&origin, &["consumer-groups", ""], &[]).is_err());
    }

    #[test]
    fn any_group_name_reaches_the_api() {
        let origin = parse_origin("https://app.example.com").unwrap();
        for (group, expected) in [
            ("new\nline\t", "/new%0Aline%09/reset"),
            ("50%", "/50%25/reset"),
            ("%2E%2E", "/%252E%252E/reset"),
            ("...", "/.../reset"),
            ("ünï", "/%C3%BCn%C3%AF/reset"),
            ("a+b\\c", "/a%2Bb%5Cc/reset"),
            ("-", "/-/reset"),
            (".", "/-/reset?groupId=."),
            ("..", "/-/reset?groupId=.."),
        ] {
            let url = resource(&origin, &["consumer-groups", group, "reset"], &[]).unwrap();
            let path = url.as_str().split_once("/consumer-groups").unwrap().1;
            assert_eq!(path, expected, "{group:?}");
        }
    }
}
