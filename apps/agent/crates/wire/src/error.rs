//! Why a frame could not be decoded or a message could not be encoded.

use thiserror::Error;

/// A frame that breaks the protocol: the field at which reading stopped, and why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{reason}", .field.map(|field| format!("field {field}: ")).unwrap_or_default())]
pub struct DecodeError {
    /// The innermost named field, as `Struct.field`; absent when the frame ended before any field.
    pub field: Option<&'static str>,
    /// What is wrong with it.
    pub reason: DecodeReason,
}

/// What is wrong with a field on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DecodeReason {
    /// The value needs more bytes than the frame has left.
    #[error("needs {needed} bytes but the frame has {remaining} left")]
    Truncated {
        /// Bytes that the value would take.
        needed: usize,
        /// Bytes left in the frame.
        remaining: usize,
    },
    /// An array's element count could not fit into the rest of the frame.
    #[error("claims {count} elements but the {remaining} bytes left cannot hold them")]
    CountExceedsFrame {
        /// The count on the wire.
        count: u64,
        /// Bytes left in the frame.
        remaining: usize,
    },
    /// The arrays of the frame have more elements together than are accepted.
    #[error("has more elements than a request may have")]
    TooManyElements,
    /// A length below -1.
    #[error("has the negative length {0}")]
    NegativeLength(i64),
    /// Null where this version of the message does not allow it.
    #[error("is null, which this version does not allow")]
    UnexpectedNull,
    /// A variable-length integer of more than 5 (32 bit) or 10 (64 bit) bytes.
    #[error("has a variable-length integer that does not end")]
    VarintTooLong,
    /// A string that is not UTF-8.
    #[error("is not UTF-8")]
    NotUtf8,
    /// A tagged field whose content is shorter than its declared size.
    #[error("is a tagged field with {0} bytes too many")]
    TaggedFieldTooLong(usize),
    /// Tags must ascend.
    #[error("has tagged fields out of order")]
    TagsOutOfOrder,
    /// The message has no such version that we know the form of.
    #[error("version {0} is not known")]
    UnknownVersion(i16),
}

impl DecodeError {
    /// Names the field in which the error arose, unless an inner one is named already.
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

/// A message that the protocol has no form for.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// Null in a version where the field must have a value.
    #[error("a null string, array or byte field is not allowed in version {0}")]
    NullNotAllowed(i16),
    /// Longer than the length prefix can say.
    #[error("{0} bytes or elements do not fit the length prefix")]
    TooLong(usize),
    /// The message has no such version that we know the form of.
    #[error("version {0} is not known")]
    UnknownVersion(i16),
}
