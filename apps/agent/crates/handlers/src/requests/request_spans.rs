//! Trace spans of Produce and Fetch requests: client, topics and sizes, named by OpenTelemetry's messaging conventions where they apply.
//! Never keys, values or headers.

use penstock_traces::{KeyValue, Span, SpanKind, count};
use penstock_wire::Frame;
use penstock_wire::messages::{FetchRequest, ProduceRequest};

use crate::context::{Caller, Context};
use crate::conversions::ids;

/// Maximum number of topics in a span. A request may name thousands.
const MAX_TOPICS: usize = 8;
/// Kafka's limit on topic names, since a client may send anything.
const MAX_NAME_CHARS: usize = 249;

/// Starts the trace of a Produce request.
pub(crate) fn produce(context: &Context, caller: &Caller, request: &ProduceRequest) -> Span {
    let mut span = context.traces.root("produce", SpanKind::Server);
    if span.is_recording() {
        let partitions = request.topic_data.iter().flat_map(|topic| &topic.partition_data);
        let bytes: usize = partitions
            .clone()
            .filter_map(|data| data.records.as_ref())
            .map(|records| records.len())
            .sum();
        let asked = Asked {
            operation: "produce",
            operation_type: "send",
            topics: named_topics(
                context,
                caller,
                request
                    .topic_data
                    .iter()
                    .map(|topic| (topic.name.as_str(), topic.topic_id)),
            ),
            topic_count: request.topic_data.len(),
            partition_count: partitions.count(),
        };
        asked.describe(&mut span, caller);
        span.describe(|| {
            vec![
                KeyValue::new("penstock.record_batches.bytes", count(bytes)),
                KeyValue::new("penstock.acks", i64::from(request.acks)),
            ]
        });
    }
    span
}

/// Starts the trace of a Fetch request.
pub(crate) fn fetch(context: &Context, caller: &Caller, request: &FetchRequest) -> Span {
    let mut span = context.traces.root("fetch", SpanKind::Server);
    if span.is_recording() {
        let asked = Asked {
            operation: "fetch",
            operation_type: "receive",
            topics: named_topics(
                context,
                caller,
                request
                    .topics
                    .iter()
                    .map(|topic| (topic.topic.as_str(), topic.topic_id)),
            ),
            topic_count: request.topics.len(),
            partition_count: request.topics.iter().map(|topic| topic.partitions.len()).sum(),
        };
        asked.describe(&mut span, caller);
        span.describe(|| {
            vec![
                KeyValue::new("penstock.max_wait_ms", i64::from(request.max_wait_ms)),
                KeyValue::new("penstock.max_bytes", i64::from(request.max_bytes)),
            ]
        });
    }
    span
}

/// Ends the span with the response's first error code and its size.
pub(crate) fn answered(mut span: Span, frame: &Frame) {
    if let Some(code) = frame.error_codes.first() {
        span.fail(|| code.name().to_owned());
    }
    span.describe(|| {
        let bytes = frame.chunks.iter().map(|chunk| chunk.len()).sum();
        vec![KeyValue::new("penstock.response.bytes", count(bytes))]
    });
}

struct Asked {
    operation: &'static str,
    operation_type: &'static str,
    /// The first topics of the request.
    topics: Vec<String>,
    topic_count: usize,
    partition_count: usize,
}

impl Asked {
    fn describe(self, span: &mut Span, caller: &Caller) {
        let only_topic = self.topics.first().filter(|_| self.topic_count == 1).cloned();
        if let Some(topic) = &only_topic {
            span.rename(|| format!("{} {topic}", self.operation));
        }
        span.describe(|| {
            let mut facts = vec![
                KeyValue::new("messaging.system", "kafka"),
                KeyValue::new("messaging.operation.name", self.operation),
                KeyValue::new("messaging.operation.type", self.operation_type),
                KeyValue::new("messaging.client.id", bounded(&caller.client_id)),
                KeyValue::new("penstock.topic.count", count(self.topic_count)),
                KeyValue::new("penstock.partition.count", count(self.partition_count)),
            ];
            facts.push(match only_topic {
                Some(topic) => KeyValue::new("messaging.destination.name", topic),
                None => KeyValue::new("penstock.topics", self.topics.join(",")),
            });
            facts
        });
    }
}

/// Clients give topics by name, or since newer versions by id.
fn named_topics<'a>(
    context: &Context,
    caller: &Caller,
    topics: impl Iterator<Item = (&'a str, penstock_wire::Uuid)>,
) -> Vec<String> {
    let catalogue = context.cache.catalogue();
    topics
        .take(MAX_TOPICS)
        .map(|(name, id)| {
            if caller.version >= 13 {
                let id = ids::from_wire(id);
                catalogue
                    .topic_by_id(id)
                    .map_or_else(|| id.to_string(), |topic| topic.name.to_string())
            } else {
                bounded(name)
            }
        })
        .collect()
}

fn bounded(name: &str) -> String {
    name.chars().take(MAX_NAME_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use penstock_traces::{Recorded, recording};
    use penstock_wire::messages::ProduceResponse;
    use penstock_wire::messages::fetch::FetchTopic;
    use penstock_wire::messages::produce::{
        PartitionProduceData, PartitionProduceResponse, TopicProduceData, TopicProduceResponse,
    };
    use penstock_wire::{ErrorCode, encode_response};

    use super::*;
    use crate::testing::{TestAgent, caller, topic, wire_id};

    fn tracing_agent() -> (Context, Recorded) {
        let (traces, recorded) = recording();
        let mut context = std::sync::Arc::into_inner(TestAgent::with_topics(&[topic(7, "orders", 1)]).context).unwrap();
        context.traces = traces;
        (context, recorded)
    }

    /// The attribute of the only span.
    fn attribute(recorded: &Recorded, key: &str) -> Option<String> {
        let spans = recorded.spans();
        let [span] = spans.as_slice() else { panic!("{spans:?}") };
        let found = span.attributes.iter().find(|fact| fact.key.as_str() == key)?;
        Some(found.value.as_str().into_owned())
    }

    fn request(records: &'static [u8]) -> ProduceRequest {
        ProduceRequest {
            acks: -1,
            topic_data: vec![TopicProduceData {
                topic_id: wire_id(7),
                partition_data: vec![PartitionProduceData {
                    index: 0,
                    records: Some(Bytes::from_static(records)),
                }],
                ..Default::default()
            }],
            ..Default::default()
        }
    }

    #[test]
    fn a_produce_span_has_topic_client_and_size_but_no_records() {
        let (context, recorded) = tracing_agent();
        drop(produce(&context, &caller(13), &request(b"canary")));
        assert_eq!(recorded.spans()[0].name, "produce orders");
        assert_eq!(
            attribute(&recorded, "messaging.destination.name").as_deref(),
            Some("orders")
        );
        assert_eq!(attribute(&recorded, "messaging.client.id").as_deref(), Some("tests"));
        assert_eq!(
            attribute(&recorded, "penstock.record_batches.bytes").as_deref(),
            Some("6")
        );
        assert!(!format!("{:?}", recorded.spans()).contains("canary"));
    }

    #[test]
    fn the_first_error_of_a_response_is_the_spans_status() {
        let (context, recorded) = tracing_agent();
        let span = produce(&context, &caller(13), &request(b""));
        let response = ProduceResponse {
            responses: vec![TopicProduceResponse {
                partition_responses: vec![PartitionProduceResponse {
                    error_code: ErrorCode::MESSAGE_TOO_LARGE,
                    ..Default::default()
                }],
                ..Default::default()
            }],
            ..Default::default()
        };
        answered(span, &encode_response(&response, 13, 1).unwrap());
        assert_eq!(attribute(&recorded, "error.type").as_deref(), Some("MESSAGE_TOO_LARGE"));
    }

    #[test]
    fn limits_the_number_and_length_of_names() {
        let (context, recorded) = tracing_agent();
        let name = "x".repeat(10_000);
        let topics = (0..1_000).map(|_| FetchTopic {
            topic: name.clone(),
            ..Default::default()
        });
        let request = FetchRequest {
            topics: topics.collect(),
            ..Default::default()
        };
        drop(fetch(&context, &caller(12), &request));
        assert_eq!(attribute(&recorded, "penstock.topic.count").as_deref(), Some("1000"));
        let names = attribute(&recorded, "penstock.topics").unwrap();
        assert!(names.len() <= MAX_TOPICS * (MAX_NAME_CHARS + 1));
    }

    #[test]
    fn an_agent_without_tracing_creates_no_span() {
        let agent = TestAgent::new();
        assert!(produce(&agent.context, &caller(13), &request(b"")).is_off());
    }
}
