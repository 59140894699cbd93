//! CORS headers. Access depends only on the token that the page sends, never on cookies or other ambient credentials.
//! Any page may therefore call and read errors, but records go only to pages of the token's origin.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE,
    CACHE_CONTROL, HeaderName, HeaderValue, ORIGIN, VARY, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, Response};

const REQUEST_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-request-private-network");
const ALLOW_PRIVATE_NETWORK: HeaderName = HeaderName::from_static("access-control-allow-private-network");
/// How long a browser caches a preflight response, in seconds.
const PREFLIGHT_AGE_S: &str = "600";

/// The origin of the calling page.
pub(super) fn origin(asked: &HeaderMap) -> Option<&HeaderValue> {
    asked.get(ORIGIN)
}

/// Adds the headers that every response needs.
pub(super) fn answer<B>(asked: &HeaderMap, response: &mut Response<B>) {
    let headers = response.headers_mut();
    headers.insert(VARY, HeaderValue::from_static("Origin"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(origin) = origin(asked) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
    }
}

/// Adds the headers of a preflight response.
pub(super) fn preflight<B>(asked: &HeaderMap, response: &mut Response<B>) {
    let headers = response.headers_mut();
    headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(
        ACCESS_CONTROL_ALLOW_HEADERS,
        HeaderValue::from_static("authorization, content-type"),
    );
    headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static(PREFLIGHT_AGE_S));
    // Agents usually have private addresses, and the dashboard a public one.
    if asked.contains_key(REQUEST_PRIVATE_NETWORK) {
        headers.insert(ALLOW_PRIVATE_NETWORK, HeaderValue::from_static("true"));
    }
}
