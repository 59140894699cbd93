//! The software of a client.

/// The software of a client, as named in its ApiVersions request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientSoftware {
    /// The name, such as "apache-kafka-java".
    pub name: String,
    /// The version of the software.
    pub version: String,
}
