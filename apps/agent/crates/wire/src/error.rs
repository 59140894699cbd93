//! Errors of decoding frames and encoding messages.

use thiserror::Error;

/// A frame that violates the protocol: the field at which decoding stopped, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{reason}", .field.map(|field| format!("field {field}: ")).unwrap_or_default())]
pub struct DecodeError {
    /// The innermost named field, as `Struct.field`; `None` if the frame ended before any field.
    pub field: Option<&'static str>,
    /// The reason why decoding failed.
    pub reason: DecodeReason,
}

/// The reason why a field cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeReason {
    /// The value needs more bytes than are left in the frame.
    #[error("needs {needed} bytes but the frame has {remaining} left")]
    Truncated {
        /// Number of bytes that the value needs.
        needed: usize,
        /// Number of bytes left in the frame.
        remaining: usize,
    },
    /// An array claims more elements than could fit in the rest of the frame.
    #[error("claims {count} elements but the {remaining} bytes left cannot hold them")]
    CountExceedsFrame {
        /// The element count in the frame.
        count: u64,
        /// Number of bytes left in the frame.
        remaining: usize,
    },
    /// The arrays of the frame have too many elements in total.
    #[error("has more elements than a request may have")]
    TooManyElements,
    /// A length is below -1.
    #[error("has the negative length {0}")]
    NegativeLength(i64),
    /// A field is null although this version does not allow it.
    #[error("is null, which this version does not allow")]
    UnexpectedNull,
    /// A variable-length integer has more than 5 (32 bit) or 10 (64 bit) bytes.
    #[error("has a variable-length integer that does not end")]
    VarintTooLong,
    /// A string is not valid UTF-8.
    #[error("is not UTF-8")]
    NotUtf8,
    /// A tagged field's content is shorter than its declared size.
    #[error("is a tagged field with {0} bytes too many")]
    TaggedFieldTooLong(usize),
    /// Tags are not in ascending order.
    #[error("has tagged fields out of order")]
    TagsOutOfOrder,
    /// The message's version is not supported.
    #[error("version {0} is not known")]
    UnknownVersion(i16),
}

impl DecodeError {
    /// Adds the field in which the error occurred, unless an inner field is already named.
    #[must_use]
    pub fn within(mut self, field: &'static str) -> Self {
        self.field.get_or_insert(field);
        self
    }
}

impl From<DecodeReason> for DecodeError {
    fn from(reason: DecodeReason) -> Self {
        Self { field: None, reason }
    }
}

/// A message that cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// A field is null in a version that requires a value.
    #[error("a null string, array or byte field is not allowed in version {0}")]
    NullNotAllowed(i16),
    /// A value is longer than its length prefix can express.
    #[error("{0} bytes or elements do not fit the length prefix")]
    TooLong(usize),
    /// The message's version is not supported.
    #[error("version {0} is not known")]
    UnknownVersion(i16),
}
