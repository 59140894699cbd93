//! Bodies of any API by its key, for fuzz targets.

use bytes::Bytes;

use crate::api_key::{ApiKey, for_each_api};
use crate::field::Form;
use crate::header::decode_response;
use crate::message::{Message, Request};
use crate::messages::*;
use crate::reader::Reader;
pub use crate::sampler::{Known, Sampler};
use crate::writer::Writer;

fn sample<M: Message>(version: i16, sampler: &mut Sampler) -> Bytes {
    encoded(
        &M::sample(sampler, Form::new(version, version >= M::FLEXIBLE_FROM)),
        version,
    )
}

fn encoded<M: Message>(message: &M, version: i16) -> Bytes {
    let mut writer = Writer::new();
    if let Err(error) = message.encode(&mut writer, version) {
        panic!("{} version {version} cannot be written: {error}", M::KEY.name());
    }
    writer.finish().to_bytes()
}

/// Returns false if the body is refused.
fn reads_back<M: Message + PartialEq + std::fmt::Debug>(version: i16, body: Bytes) -> bool {
    let Ok(message) = M::decode(&mut Reader::new(body), version) else {
        return false;
    };
    let mut reader = Reader::new(encoded(&message, version));
    assert_eq!(
        M::decode(&mut reader, version).as_ref(),
        Ok(&message),
        "version {version}"
    );
    assert_eq!(
        reader.remaining(),
        0,
        "bytes are left of {} version {version}",
        M::KEY.name()
    );
    true
}

macro_rules! by_key {
    ($($name:ident = $code:literal, $request:ident;)*) => {
        /// The body of a valid request.
        #[must_use]
        pub fn sample_request(key: ApiKey, version: i16, sampler: &mut Sampler) -> Bytes {
            match key {
                $(ApiKey::$name => sample::<$request>(version, sampler),)*
            }
        }

        /// The body of a valid response.
        #[must_use]
        pub fn sample_response(key: ApiKey, version: i16, sampler: &mut Sampler) -> Bytes {
            match key {
                $(ApiKey::$name => sample::<<$request as Request>::Response>(version, sampler),)*
            }
        }

        /// Reads the body of a request, writes it and reads it again. Returns false if it is refused.
        ///
        /// # Panics
        /// Panics if the second reading gives another message.
        pub fn request_reads_back(key: ApiKey, version: i16, body: Bytes) -> bool {
            match key {
                $(ApiKey::$name => reads_back::<$request>(version, body),)*
            }
        }

        /// Like [`request_reads_back`], for a response.
        ///
        /// # Panics
        /// Panics if the second reading gives another message.
        pub fn response_reads_back(key: ApiKey, version: i16, body: Bytes) -> bool {
            match key {
                $(ApiKey::$name => reads_back::<<$request as Request>::Response>(version, body),)*
            }
        }

        /// Returns true if the frame is a whole response to a request of this API.
        #[must_use]
        pub fn is_answer(key: ApiKey, version: i16, frame: Bytes) -> bool {
            let mut reader = Reader::new(frame);
            match key {
                $(ApiKey::$name => decode_response::<$request>(&mut reader, version).is_ok() && reader.remaining() == 0,)*
            }
        }
    };
}
for_each_api!(by_key);
