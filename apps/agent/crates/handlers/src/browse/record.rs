//! A record as shown in the message browser, and its size in a page.

use bytes::Bytes;

/// Maximum size of the JSON around a record or header.
const RECORD_OVERHEAD_BYTES: usize = 160;
const HEADER_OVERHEAD_BYTES: usize = 48;

/// A key or value, possibly truncated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The whole content, or its first bytes.
    pub content: Bytes,
    /// The full length in bytes.
    pub bytes: usize,
}

impl Field {
    pub(super) fn new(content: &Bytes) -> Self {
        // Copied, so that a response in transit does not keep a whole batch in memory.
        Self {
            content: Bytes::copy_from_slice(content),
            bytes: content.len(),
        }
    }

    /// The size of the content in base64.
    fn sent_bytes(&self) -> usize {
        self.content.len().div_ceil(3) * 4
    }

    fn cut(&mut self, left: &mut usize) {
        self.content.truncate(*left / 4 * 3);
        *left -= self.sent_bytes();
    }
}

/// A header of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowsedHeader {
    /// The key. UTF-8 by convention, but not checked.
    pub key: Field,
    /// The value, if there is one.
    pub value: Option<Field>,
}

impl BrowsedHeader {
    fn sent_bytes(&self) -> usize {
        HEADER_OVERHEAD_BYTES + self.key.sent_bytes() + self.value.as_ref().map_or(0, Field::sent_bytes)
    }
}

/// A record as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowsedRecord {
    /// The record's offset in the partition.
    pub offset: i64,
    /// The timestamp in milliseconds since the Unix epoch.
    pub timestamp_ms: i64,
    /// The key, if there is one.
    pub key: Option<Field>,
    /// The value; `None` for a tombstone.
    pub value: Option<Field>,
    /// The headers in order; only the first ones if there are too many bytes.
    pub headers: Vec<BrowsedHeader>,
    /// Number of omitted headers.
    pub headers_left_out: usize,
    /// Name of the batch's compression type.
    pub compression: &'static str,
}

impl BrowsedRecord {
    pub(super) fn sent_bytes(&self) -> usize {
        let fields: usize = [&self.key, &self.value]
            .into_iter()
            .flatten()
            .map(Field::sent_bytes)
            .sum();
        let headers: usize = self.headers.iter().map(BrowsedHeader::sent_bytes).sum();
        RECORD_OVERHEAD_BYTES + fields + headers
    }

    /// Truncates the key to a quarter, then keeps whole headers up to half, and as much of the value as still fits.
    pub(super) fn cut(&mut self, max_bytes: usize) {
        let mut left = max_bytes.saturating_sub(RECORD_OVERHEAD_BYTES);
        if let Some(key) = &mut self.key {
            let mut of_key = left / 4;
            key.cut(&mut of_key);
            left -= key.sent_bytes();
        }
        let mut of_headers = left / 2;
        let kept = self
            .headers
            .iter()
            .take_while(|header| {
                let fits = header.sent_bytes() <= of_headers;
                of_headers = of_headers.saturating_sub(header.sent_bytes());
                fits
            })
            .count();
        self.headers_left_out += self.headers.len() - kept;
        self.headers.truncate(kept);
        left -= self.headers.iter().map(BrowsedHeader::sent_bytes).sum::<usize>();
        if let Some(value) = &mut self.value {
            value.cut(&mut left);
        }
    }
}
