//! The trace span of a data file. Many requests share a file: the span is a child of the first traced request, and is linked with the
//! others.

use penstock_traces::{KeyValue, Span, SpanKind, count};
use uuid::Uuid;

use super::outcome::FileOutcome;

/// The attributes of a file's span.
#[derive(Debug)]
pub(super) struct FileFacts {
    pub(super) id: Uuid,
    pub(super) bytes: u64,
    pub(super) runs: usize,
    pub(super) batches: usize,
}

/// The spans of a file, from its first traced request on.
#[derive(Debug, Default)]
pub(super) struct FileSpans {
    pub(super) file: Span,
    buffer: Span,
}

impl FileSpans {
    /// Records that a request has batches in the file.
    pub(super) fn join(&mut self, request: &mut Span) {
        if request.is_off() {
            return;
        }
        if self.file.is_recording() {
            if request.is_recording() {
                self.file.link(request);
                request.link(&self.file);
            }
        } else if self.file.is_off() || request.is_recording() {
            self.file = request.child("flush", SpanKind::Internal);
            self.buffer = self.file.child("wait in buffer", SpanKind::Internal);
        }
    }

    /// Records that the file is sealed, which ends the time that records wait in it.
    pub(super) fn sealed(&mut self) {
        self.buffer = Span::default();
    }

    /// Ends the file's span.
    pub(super) fn finish(mut self, file: impl FnOnce() -> FileFacts, outcome: &FileOutcome) {
        match outcome {
            FileOutcome::Failed { error_code, .. } => self.file.fail(|| error_code.name().to_owned()),
            FileOutcome::Committed(committed) => {
                let refused = committed.batch_error_codes.iter().filter(|code| !code.is_none());
                self.file.describe(|| {
                    let records = i64::try_from(committed.accepted.records).unwrap_or(i64::MAX);
                    vec![
                        KeyValue::new("messaging.batch.message_count", records),
                        KeyValue::new("penstock.refused_batches", count(refused.count())),
                    ]
                });
            }
        }
        self.file.describe(|| {
            let file = file();
            vec![
                KeyValue::new("penstock.file.id", file.id.to_string()),
                KeyValue::new("penstock.file.bytes", i64::try_from(file.bytes).unwrap_or(i64::MAX)),
                KeyValue::new("penstock.file.partitions", count(file.runs)),
                KeyValue::new("penstock.file.batches", count(file.batches)),
            ]
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_span_belongs_to_its_first_request_and_links_others() {
        let (traces, recorded) = penstock_traces::recording();
        let mut spans = FileSpans::default();
        let mut requests = [
            traces.root("first", SpanKind::Server),
            traces.root("second", SpanKind::Server),
        ];
        for request in &mut requests {
            spans.join(request);
        }
        spans.sealed();
        drop(requests);
        drop(spans);
        let ended = recorded.spans();
        let find = |name: &str| ended.iter().find(|span| span.name == name).unwrap();
        let (first, second, flush) = (find("first"), find("second"), find("flush"));
        assert_eq!(flush.parent_span_id, first.span_context.span_id());
        assert_eq!(find("wait in buffer").parent_span_id, flush.span_context.span_id());
        assert_eq!(flush.links.links[0].span_context, second.span_context);
        assert_eq!(second.links.links[0].span_context, flush.span_context);
        assert!(first.links.links.is_empty());
    }

    #[test]
    fn untraced_requests_leave_no_spans() {
        let mut spans = FileSpans::default();
        spans.join(&mut Span::default());
        assert!(spans.file.is_off());
    }
}
