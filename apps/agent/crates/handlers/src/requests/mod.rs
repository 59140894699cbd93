//! The path of a request: decoding, dispatch to its API, tracing, and refusal of unsupported versions.

pub(crate) mod dispatch;
pub(crate) mod request_spans;
pub(crate) mod unsupported_version;
