//! The JSON of browse requests and responses.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use penstock_handlers::{BrowsePage, BrowseRequest, BrowsedRecord, Field, Position, Stop};
use serde::{Deserialize, Serialize};

/// Maximum number of records in a response.
const MAX_RECORDS: usize = 500;
const USUAL_RECORDS: usize = 50;

/// The body of `POST /v1/records`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Question {
    pub(super) topic: String,
    partition: u32,
    from: From,
    limit: Option<usize>,
    key_base64: Option<String>,
}

/// The position of the first record.
#[derive(Debug, Deserialize)]
#[serde(
    tag = "at",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
enum From {
    Earliest,
    Latest { records: u32 },
    Offset { offset: i64 },
    Time { timestamp_ms: i64 },
}

impl Question {
    /// # Errors
    /// Returns a message that says what is invalid and what is allowed.
    pub(super) fn into_request(self) -> Result<BrowseRequest, String> {
        let limit = self.limit.unwrap_or(USUAL_RECORDS);
        if !(1..=MAX_RECORDS).contains(&limit) {
            return Err(format!("limit: give 1 to {MAX_RECORDS}"));
        }
        let key = self.key_base64.map(|key| STANDARD.decode(key)).transpose();
        let key = key.map_err(|_| "keyBase64: this is not base64".to_owned())?;
        Ok(BrowseRequest {
            topic: self.topic,
            partition: self.partition,
            position: match self.from {
                From::Earliest => Position::Earliest,
                From::Latest { records } => Position::Latest(records),
                From::Offset { offset } => Position::Offset(offset),
                From::Time { timestamp_ms } => Position::Timestamp(timestamp_ms),
            },
            limit,
            key: key.map(Bytes::from),
        })
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answer {
    log_start_offset: i64,
    high_watermark: i64,
    records: Vec<Record>,
    scanned_records: u64,
    unreadable: Vec<Unreadable>,
    next_offset: Option<i64>,
    stopped: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    offset: i64,
    timestamp_ms: i64,
    key: Option<Content>,
    value: Option<Content>,
    headers: Vec<Header>,
    #[serde(skip_serializing_if = "is_zero")]
    headers_left_out: usize,
    compression: &'static str,
}

#[derive(Debug, Serialize)]
struct Header {
    key: Content,
    value: Option<Content>,
}

/// A key, value or header. `bytes` is the full length; `base64` may hold only the beginning.
#[derive(Debug, Serialize)]
struct Content {
    base64: String,
    bytes: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Unreadable {
    base_offset: i64,
    last_offset: i64,
    reason: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl std::convert::From<&Field> for Content {
    fn from(field: &Field) -> Self {
        Self {
            base64: STANDARD.encode(&field.content),
            bytes: field.bytes,
        }
    }
}

impl std::convert::From<&BrowsedRecord> for Record {
    fn from(record: &BrowsedRecord) -> Self {
        let headers = record.headers.iter().map(|header| Header {
            key: (&header.key).into(),
            value: header.value.as_ref().map(Content::from),
        });
        Self {
            offset: record.offset,
            timestamp_ms: record.timestamp_ms,
            key: record.key.as_ref().map(Content::from),
            value: record.value.as_ref().map(Content::from),
            headers: headers.collect(),
            headers_left_out: record.headers_left_out,
            compression: record.compression,
        }
    }
}

impl std::convert::From<&BrowsePage> for Answer {
    fn from(page: &BrowsePage) -> Self {
        let unreadable = page.unreadable.iter().map(|batch| Unreadable {
            base_offset: batch.base_offset,
            last_offset: batch.last_offset,
            reason: batch.reason.clone(),
        });
        Self {
            log_start_offset: page.log_start_offset,
            high_watermark: page.high_watermark,
            records: page.records.iter().map(Record::from).collect(),
            scanned_records: page.scanned_records,
            unreadable: unreadable.collect(),
            next_offset: page.next_offset,
            stopped: match page.stop {
                None | Some(Stop::End) => "end",
                Some(Stop::Limit) => "limit",
                Some(Stop::Bytes) => "bytes",
                Some(Stop::Scanned) => "scanned",
                Some(Stop::Time) => "time",
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(json: &str) -> Result<BrowseRequest, String> {
        serde_json::from_str::<Question>(json)
            .map_err(|error| error.to_string())?
            .into_request()
    }

    #[test]
    fn accepts_each_kind_of_position() {
        let cases = [
            (r#"{"at":"earliest"}"#, Position::Earliest),
            (r#"{"at":"latest","records":7}"#, Position::Latest(7)),
            (r#"{"at":"offset","offset":12}"#, Position::Offset(12)),
            (r#"{"at":"time","timestampMs":5}"#, Position::Timestamp(5)),
        ];
        for (from, position) in cases {
            let request = asked(&format!(
                r#"{{"topic":"t","partition":3,"from":{from},"keyBase64":"AP8="}}"#
            ))
            .unwrap();
            assert_eq!((request.position, request.partition), (position, 3));
            assert_eq!((request.limit, request.key), (50, Some(Bytes::from_static(&[0, 255]))));
        }
    }

    #[test]
    fn refuses_invalid_requests_with_a_reason() {
        let with = |rest: &str| format!(r#"{{"topic":"t","partition":0,"from":{{"at":"earliest"}}{rest}}}"#);
        assert!(asked(&with(r#","limit":501"#)).unwrap_err().contains("1 to 500"));
        assert!(asked(&with(r#","limit":0"#)).unwrap_err().contains("1 to 500"));
        assert!(asked(&with(r#","keyBase64":"*""#)).unwrap_err().contains("base64"));
        assert!(asked(&with(r#","other":1"#)).unwrap_err().contains("other"));
        assert!(asked(r#"{"topic":"t","partition":-1,"from":{"at":"earliest"}}"#).is_err());
    }
}
