//! Request and response headers, and frames that consist of a header and a body.

use crate::api_key::ApiKey;
use crate::error::{DecodeError, EncodeError};
use crate::field::{Form, Wire};
use crate::message::{Message, Request};
use crate::reader::Reader;
use crate::tagged;
use crate::writer::{Frame, Writer};

/// The header of every request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestHeader {
    /// The API key; see [`ApiKey::from_code`].
    pub api_key: i16,
    /// Version of the request body.
    pub api_version: i16,
    /// Identifies the request; repeated in the response.
    pub correlation_id: i32,
    /// The client's name for itself, if set.
    pub client_id: Option<String>,
}

impl RequestHeader {
    /// Reads a header: version 2 if the API's version is flexible, else version 1. For unknown APIs, reads only the
    /// fields up to the client id.
    ///
    /// # Errors
    /// Returns an error if the frame is not a request.
    pub fn decode(reader: &mut Reader) -> Result<Self, DecodeError> {
        let plain = Form::new(1, false).with_nullable(true);
        let header = Self {
            api_key: reader
                .read_i16()
                .map_err(|error| error.within("RequestHeader.api_key"))?,
            api_version: reader
                .read_i16()
                .map_err(|error| error.within("RequestHeader.api_version"))?,
            correlation_id: reader
                .read_i32()
                .map_err(|error| error.within("RequestHeader.correlation_id"))?,
            client_id: Wire::read(reader, plain).map_err(|error| error.within("RequestHeader.client_id"))?,
        };
        if ApiKey::from_code(header.api_key).is_some_and(|key| key.is_flexible(header.api_version)) {
            tagged::read(reader, |_, _| Ok(false)).map_err(|error| error.within("RequestHeader (tagged fields)"))?;
        }
        Ok(header)
    }
}

/// Encodes a response frame, including its length prefix.
///
/// # Errors
/// Returns an error if the body cannot be encoded in this version or exceeds 2 GiB.
pub fn encode_response<M: Message>(body: &M, version: i16, correlation_id: i32) -> Result<Frame, EncodeError> {
    let mut writer = Writer::for_frame();
    writer.put_i32(correlation_id);
    if M::KEY.has_flexible_response_header(version) {
        writer.put_uvarint(0);
    }
    body.encode(&mut writer, version)?;
    writer.finish_frame()
}

/// Encodes a request frame, including its length prefix.
///
/// # Errors
/// Returns an error if the body cannot be encoded in this version or exceeds 2 GiB.
pub fn encode_request<R: Request>(
    body: &R,
    version: i16,
    correlation_id: i32,
    client_id: Option<&str>,
) -> Result<Frame, EncodeError> {
    let mut writer = Writer::for_frame();
    writer.put_i16(R::KEY.code());
    writer.put_i16(version);
    writer.put_i32(correlation_id);
    client_id
        .map(str::to_owned)
        .write(&mut writer, Form::new(1, false).with_nullable(true))?;
    if version >= R::FLEXIBLE_FROM {
        writer.put_uvarint(0);
    }
    body.encode(&mut writer, version)?;
    writer.finish_frame()
}

/// Reads the header and body of a response. `reader` must be at the start of the frame, after its length prefix.
///
/// # Errors
/// Returns an error if the frame is not a valid response.
pub fn decode_response<R: Request>(reader: &mut Reader, version: i16) -> Result<(i32, R::Response), DecodeError> {
    let correlation_id = reader
        .read_i32()
        .map_err(|error| error.within("ResponseHeader.correlation_id"))?;
    if R::KEY.has_flexible_response_header(version) {
        tagged::read(reader, |_, _| Ok(false)).map_err(|error| error.within("ResponseHeader (tagged fields)"))?;
    }
    Ok((correlation_id, R::Response::decode(reader, version)?))
}
