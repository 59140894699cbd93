//! The Kafka wire protocol: decodes frames to typed messages, encodes messages, and reads record batches.
//!
//! Every length and count in a frame is checked against the bytes present before anything is allocated, so a frame can
//! never use more than a small multiple of its own size. Records are never copied: a decoded message holds slices of
//! its frame, and an encoded one is a list of chunks for vectored writes.

#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod answer_all;
mod api_key;
mod api_versions;
mod array;
mod error;
mod error_code;
mod field;
mod float64;
mod header;
#[macro_use]
mod message;
pub mod messages;
mod nullable;
#[cfg(test)]
mod oracle_tests;
mod reader;
pub mod record_batch;
mod records;
mod refused_apis;
#[cfg(any(test, feature = "testing"))]
mod sampler;
mod secret;
mod tagged;
#[cfg(feature = "testing")]
pub mod testing;
mod uuid;
mod writer;

pub use answer_all::AnswerAll;
pub use api_key::ApiKey;
pub use error::{DecodeError, DecodeReason, EncodeError};
pub use error_code::ErrorCode;
pub use field::{Form, Wire};
pub use float64::Float64;
pub use header::{RequestHeader, decode_response, encode_request, encode_response};
pub use message::{Message, Request};
pub use nullable::Nullable;
pub use reader::Reader;
pub use records::RecordChunks;
pub use refused_apis::{announced_refusals, refuse};
pub use secret::Secret;
pub use uuid::Uuid;
pub use writer::{Frame, Writer};
