//! What a client is.

/// What a client is, as it said in its ApiVersions request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSoftware {
    /// Like "apache-kafka-java".
    pub name: String,
    /// Of that software.
    pub version: String,
}
