//! Macros that declare messages as tables, and the traits of all messages.

use std::ops::RangeInclusive;

use crate::api_key::ApiKey;
use crate::error::{DecodeError, DecodeReason, EncodeError};
use crate::field::{Form, Wire};
use crate::reader::Reader;
use crate::writer::Writer;

/// The body of a request or response.
pub trait Message: Wire + Default {
    /// The API of the message.
    const KEY: ApiKey;
    /// The first version with compact lengths and tagged fields.
    const FLEXIBLE_FROM: i16;
    /// The last version that we can encode and decode. All versions from 0 on are known.
    const LAST_VERSION: i16;

    /// Reads a body. Ignores any bytes after its end, as Kafka does.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid message, or if the version is above [`Message::LAST_VERSION`].
    fn decode(reader: &mut Reader, version: i16) -> Result<Self, DecodeError> {
        if !(0..=Self::LAST_VERSION).contains(&version) {
            return Err(DecodeReason::UnknownVersion(version).into());
        }
        Self::read(reader, Form::new(version, version >= Self::FLEXIBLE_FROM))
    }

    /// Writes a body.
    ///
    /// # Errors
    /// Returns an error if a null or a length cannot be encoded in this version, or if the version is above
    /// [`Message::LAST_VERSION`].
    fn encode(&self, writer: &mut Writer, version: i16) -> Result<(), EncodeError> {
        if !(0..=Self::LAST_VERSION).contains(&version) {
            return Err(EncodeError::UnknownVersion(version));
        }
        self.write(writer, Form::new(version, version >= Self::FLEXIBLE_FROM))
    }
}

/// The body of a request.
pub trait Request: Message {
    /// The response to the request.
    type Response: Message;
    /// The served versions. Older ones can still be decoded, so that they are refused in their own format.
    const VERSIONS: RangeInclusive<i16>;
}

/// Declares an API: its key, its bodies, the served versions and the first flexible version.
macro_rules! api {
    ($key:ident: $request:ident -> $response:ident, versions $first:literal..=$last:literal, flexible from $flexible:expr) => {
        impl $crate::message::Message for $request {
            const KEY: $crate::api_key::ApiKey = $crate::api_key::ApiKey::$key;
            const FLEXIBLE_FROM: i16 = $flexible;
            const LAST_VERSION: i16 = $last;
        }

        impl $crate::message::Request for $request {
            type Response = $response;
            const VERSIONS: std::ops::RangeInclusive<i16> = $first..=$last;
        }

        impl $crate::message::Message for $response {
            const KEY: $crate::api_key::ApiKey = $crate::api_key::ApiKey::$key;
            const FLEXIBLE_FROM: i16 = $flexible;
            const LAST_VERSION: i16 = $last;
        }
    };
}

/// Declares a message struct as a table of `field: Type, versions;`. A field can add `null` with the versions that
/// allow null, `default` with the value in versions that lack the field (else the type's default), and `tag` with the
/// number of a tagged field. Tagged fields must be in the order of their tags. A struct with an `error_code` implements
/// `From<ErrorCode>`, and one with an `error_message` also `From<(ErrorCode, String)>`.
macro_rules! fields {
    (@untagged [] $body:block) => { $body };
    (@untagged [$tag:literal] $body:block) => {};
    (@tagged [] $own_tag:ident $body:block) => {};
    (@tagged [$tag:literal] $own_tag:ident $body:block) => {
        let $own_tag: u32 = $tag;
        $body
    };
    (@size [] $body:expr) => { $body };
    (@size [$tag:literal] $body:expr) => { 0 };
    (@holds $version:expr) => { false };
    (@holds $version:expr, $range:expr) => { ($range).contains(&$version) };
    (@error $name:ident error_code) => {
        impl From<$crate::error_code::ErrorCode> for $name {
            /// An otherwise empty response with this error.
            fn from(error_code: $crate::error_code::ErrorCode) -> Self {
                Self { error_code, ..Self::default() }
            }
        }
    };
    (@error $name:ident error_message) => {
        impl From<($crate::error_code::ErrorCode, String)> for $name {
            /// Nothing but this error and its reason, which may be empty.
            fn from((error_code, reason): ($crate::error_code::ErrorCode, String)) -> Self {
                Self { error_message: (!reason.is_empty()).then_some(reason), ..Self::from(error_code) }
            }
        }
    };
    (@error $name:ident $other:ident) => {};
    (@throttle $message:ident $time:ident throttle_time_ms) => { $message.throttle_time_ms = $time };
    (@throttle $message:ident $time:ident $other:ident) => {};
    (@default) => { Default::default() };
    (@default $default:expr) => { $default };
    ($(#[$meta:meta])* $name:ident { $(
        $(#[$field_meta:meta])* $field:ident: $ty:ty, $versions:expr
        $(, null $null:expr)? $(, default $default:expr)? $(, tag $tag:literal)?;
    )* }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs, reason = "the fields are Kafka's own, under Kafka's names")]
        pub struct $name {
            $($(#[$field_meta])* pub $field: $ty,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: fields!(@default $($default)?),)* }
            }
        }

        $(fields!(@error $name $field);)*

        impl $crate::field::Wire for $name {
            fn min_bytes(form: $crate::field::Form) -> usize {
                let mut bytes = usize::from(form.flexible);
                $(if ($versions).contains(&form.version) {
                    bytes += fields!(@size [$($tag)?] <$ty as $crate::field::Wire>::min_bytes(form));
                })*
                bytes
            }

            fn read(
                reader: &mut $crate::reader::Reader,
                form: $crate::field::Form,
            ) -> Result<Self, $crate::error::DecodeError> {
                #[allow(unused_mut, reason = "a version may have no fields at all")]
                let mut value = Self::default();
                $(fields!(@untagged [$($tag)?] {
                    if ($versions).contains(&form.version) {
                        let form = form.with_nullable(fields!(@holds form.version $(, $null)?));
                        value.$field = <$ty as $crate::field::Wire>::read(reader, form)
                            .map_err(|error| error.within(concat!(stringify!($name), ".", stringify!($field))))?;
                    }
                });)*
                if form.flexible {
                    #[allow(unused_variables, reason = "most structs have no tagged fields")]
                    $crate::tagged::read(reader, |tag, reader| {
                        $(fields!(@tagged [$($tag)?] own_tag {
                            if tag == own_tag && ($versions).contains(&form.version) {
                                let form = form.with_nullable(fields!(@holds form.version $(, $null)?));
                                value.$field = <$ty as $crate::field::Wire>::read(reader, form)
                                    .map_err(|error| error.within(concat!(stringify!($name), ".", stringify!($field))))?;
                                return Ok(true);
                            }
                        });)*
                        Ok(false)
                    })
                    .map_err(|error| error.within(concat!(stringify!($name), " (tagged fields)")))?;
                }
                Ok(value)
            }

            fn write(
                &self,
                writer: &mut $crate::writer::Writer,
                form: $crate::field::Form,
            ) -> Result<(), $crate::error::EncodeError> {
                $(fields!(@untagged [$($tag)?] {
                    if ($versions).contains(&form.version) {
                        let form = form.with_nullable(fields!(@holds form.version $(, $null)?));
                        $crate::field::Wire::write(&self.$field, writer, form)?;
                    }
                });)*
                if form.flexible {
                    #[allow(unused_mut, reason = "most structs have no tagged fields")]
                    let mut tagged = $crate::tagged::TaggedWriter::default();
                    $(fields!(@tagged [$($tag)?] own_tag {
                        if ($versions).contains(&form.version) && self.$field != Self::default().$field {
                            let form = form.with_nullable(fields!(@holds form.version $(, $null)?));
                            tagged.put(own_tag, &self.$field, form)?;
                        }
                    });)*
                    tagged.finish(writer)?;
                }
                Ok(())
            }

            #[allow(unused_variables, reason = "most structs have no such field")]
            fn set_throttle_time_ms(&mut self, time: i32) {
                $(fields!(@throttle self time $field);)*
            }

            #[cfg(any(test, feature = "testing"))]
            #[allow(unused_mut, unused_variables, reason = "a version may have no fields at all")]
            fn sample(sampler: &mut $crate::sampler::Sampler, form: $crate::field::Form) -> Self {
                let mut value = Self::default();
                $(if ($versions).contains(&form.version) {
                    let form = form.with_nullable(fields!(@holds form.version $(, $null)?));
                    value.$field = <$ty as $crate::field::Wire>::sample(sampler, form);
                })*
                value
            }
        }
    };
}
