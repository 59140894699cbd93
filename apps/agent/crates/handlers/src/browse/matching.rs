//! Selects the records of a batch that a page shows.

use bytes::Bytes;
use penstock_wire::record_batch::{Batch, Record, Records, decompressed_records};

use super::page::{BrowsePage, UnreadableBatch};
use super::record::{BrowsedHeader, BrowsedRecord, Field};

/// Maximum decompressed size of a batch: far above Kafka's default for a whole batch (1 MiB).
const MAX_CONTENT_BYTES: u64 = 64 << 20;

/// Adds the matching records of a batch to the page until it is full.
pub(super) fn take_batch(
    page: &mut BrowsePage,
    base_offset: i64,
    batch: &Batch,
    from_offset: i64,
    key: Option<&Bytes>,
) {
    let header = &batch.header;
    // Transaction markers, which consumers do not see as records.
    if header.is_control() {
        return;
    }
    let unreadable = |reason: String| UnreadableBatch {
        base_offset,
        last_offset: base_offset + i64::from(header.last_offset_delta),
        reason,
    };
    let content = match decompressed_records(batch, MAX_CONTENT_BYTES) {
        Ok(content) => content,
        Err(error) => {
            page.unreadable.push(unreadable(error.to_string()));
            return;
        }
    };
    for record in Records::new(content) {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                page.unreadable.push(unreadable(error.to_string()));
                return;
            }
        };
        let offset = base_offset + i64::from(record.offset_delta);
        if offset < from_offset {
            continue;
        }
        page.scanned_records += 1;
        if key.is_some() && record.key.as_ref() != key {
            continue;
        }
        page.take(shown(&record, offset, batch));
        if page.is_stopped() {
            return;
        }
    }
}

fn shown(record: &Record, offset: i64, batch: &Batch) -> BrowsedRecord {
    let header = &batch.header;
    let timestamp_ms = if header.is_log_append_time() {
        header.max_timestamp_ms
    } else {
        header.base_timestamp_ms.saturating_add(record.timestamp_delta_ms)
    };
    let headers = record.headers.iter().map(|header| BrowsedHeader {
        key: Field::new(&header.key),
        value: header.value.as_ref().map(Field::new),
    });
    BrowsedRecord {
        offset,
        timestamp_ms,
        key: record.key.as_ref().map(Field::new),
        value: record.value.as_ref().map(Field::new),
        headers: headers.collect(),
        headers_left_out: 0,
        compression: header.compression().map_or("unknown", |compression| compression.name()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::browse::page::{MAX_PAGE_BYTES, Stop};

    fn field(bytes: usize) -> Field {
        Field::new(&Bytes::from(vec![b'x'; bytes]))
    }

    fn record(offset: i64, value_bytes: usize) -> BrowsedRecord {
        BrowsedRecord {
            offset,
            timestamp_ms: 0,
            key: Some(field(10)),
            value: Some(field(value_bytes)),
            headers: Vec::new(),
            headers_left_out: 0,
            compression: "none",
        }
    }

    fn page(limit: usize) -> BrowsePage {
        let mut page = BrowsePage::new(limit);
        page.high_watermark = 1000;
        page
    }

    fn sent_bytes(page: &BrowsePage) -> usize {
        page.records.iter().map(BrowsedRecord::sent_bytes).sum()
    }

    #[test]
    fn a_page_ends_at_the_limit_and_names_the_next_offset() {
        let mut page = page(2);
        page.take(record(5, 1));
        assert_eq!(page.stop, None);
        page.take(record(9, 1));
        assert_eq!((page.next_offset, page.stop), (Some(10), Some(Stop::Limit)));
    }

    #[test]
    fn a_page_ends_before_a_record_that_does_not_fit() {
        let mut page = page(500);
        for offset in 0..10 {
            page.take(record(offset, 200_000));
            if page.is_stopped() {
                break;
            }
        }
        assert_eq!(page.records.len(), 3);
        assert_eq!((page.next_offset, page.stop), (Some(3), Some(Stop::Bytes)));
        assert!(sent_bytes(&page) <= MAX_PAGE_BYTES);
    }

    #[test]
    fn truncates_an_oversized_record_and_returns_its_true_size() {
        let mut page = page(500);
        let mut large = record(7, 5 << 20);
        large.key = Some(field(3 << 20));
        let header = BrowsedHeader {
            key: field(10),
            value: Some(field(100_000)),
        };
        large.headers = vec![header; 20];
        page.take(large);
        assert!(sent_bytes(&page) <= MAX_PAGE_BYTES);
        let shown = &page.records[0];
        assert_eq!(shown.value.as_ref().map(|value| value.bytes), Some(5 << 20));
        assert_eq!(shown.key.as_ref().map(|key| key.bytes), Some(3 << 20));
        assert!(shown.value.as_ref().is_some_and(|value| value.content.len() > 100_000));
        assert_eq!(shown.headers.len() + shown.headers_left_out, 20);
        assert!(!shown.headers.is_empty());
        page.take(record(8, 100_000));
        assert_eq!((page.next_offset, page.stop), (Some(8), Some(Stop::Bytes)));
    }

    #[test]
    fn a_batch_without_records_is_empty_and_not_an_error() {
        let mut page = page(10);
        let batch = Batch::split_off(&mut crate::apis::fetch_tests::hole(50)).unwrap();
        take_batch(&mut page, 0, &batch, 3, None);
        assert_eq!(
            (page.records.len(), page.unreadable.len(), page.is_stopped()),
            (0, 0, false)
        );
    }

    #[test]
    fn the_last_record_ends_the_response_whatever_the_limit() {
        let mut page = page(1);
        page.take(record(999, 1));
        assert_eq!((page.next_offset, page.stop), (None, Some(Stop::End)));
    }
}
