use std::io::Write as _;

use penstock_metadata_client::proto::ClientMetric;

use super::*;

const SEND_RATE: &str = "org.apache.kafka.producer.record.send.rate";
const LATENCY_AVG: &str = "org.apache.kafka.producer.node.request.latency.avg";
const LATENCY_MAX: &str = "org.apache.kafka.producer.node.request.latency.max";
const LAG_MAX: &str = "org.apache.kafka.consumer.fetch.manager.records.lag.max";
const GAUGE: u32 = 5;
const SUM: u32 = 7;
const MAX_BYTES: u64 = 1 << 20;
const TESTS: Pusher<'_> = Pusher {
    client_id: "tests",
    software: None,
    instance: Uuid([1; 16]),
};

/// A field that contains a message or text of less than 16 KiB.
fn field(number: u32, content: &[u8]) -> Vec<u8> {
    let key = u8::try_from(number << 3 | 2).unwrap();
    let len = u16::try_from(content.len()).unwrap();
    let len = [(len & 0x7f) as u8 | 0x80, u8::try_from(len >> 7).unwrap()];
    [&[key][..], &len, content].concat()
}

fn double(value: f64) -> Vec<u8> {
    [&[4 << 3 | 1][..], &value.to_le_bytes()].concat()
}

fn attribute(key: &str) -> Vec<u8> {
    field(7, &field(1, key.as_bytes()))
}

fn metric(name: &str, data: u32, points: &[Vec<u8>]) -> Vec<u8> {
    let points: Vec<u8> = points.iter().flat_map(|point| field(1, point)).collect();
    // A start time before the points, as in sums: unread fields are skipped.
    field(2, &[field(1, name.as_bytes()), field(data, &points)].concat())
}

fn payload(metrics: &[Vec<u8>]) -> Vec<u8> {
    field(1, &field(2, &metrics.concat()))
}

fn add(pushed: &PushedMetrics, client_id: &str, instance: u8, data: &[u8]) {
    let pusher = Pusher {
        client_id,
        software: None,
        instance: Uuid([instance; 16]),
    };
    pushed.add(&pusher, (Compression::None, data), MAX_BYTES).unwrap();
}

fn metrics_of(message: &proto::ClientTelemetry) -> Vec<(ClientMetric, u32, f64, f64)> {
    let of =
        |readings: &proto::ClientMetricReadings| (readings.metric(), readings.readings, readings.sum, readings.max);
    message.metrics.iter().map(of).collect()
}

#[test]
fn a_push_is_reported_once_with_its_client() {
    let pushed = PushedMetrics::default();
    let integer = [&[6 << 3 | 1][..], &7_i64.to_le_bytes()].concat();
    let data = payload(&[
        metric(SEND_RATE, GAUGE, &[double(2.5)]),
        metric(LATENCY_MAX, SUM, &[integer]),
        metric("org.apache.kafka.producer.anything.else", GAUGE, &[double(1.0)]),
    ]);
    let software = ClientSoftware {
        name: "librdkafka".to_owned(),
        version: "2.12.1".to_owned(),
    };
    let pusher = Pusher {
        software: Some(&software),
        ..TESTS
    };
    pushed.add(&pusher, (Compression::None, &data), MAX_BYTES).unwrap();
    let [message]: [proto::ClientTelemetry; 1] = pushed.drain().try_into().unwrap();
    assert_eq!(
        (message.client_id.as_str(), message.software_name.as_str()),
        ("tests", "librdkafka")
    );
    assert_eq!(message.software_version, "2.12.1");
    assert_eq!(message.instance_ids, [Bytes::from_static(&[1; 16])]);
    assert_eq!(
        metrics_of(&message),
        [
            (ClientMetric::ProducerRecordSendRate, 1, 2.5, 2.5),
            (ClientMetric::ProducerNodeRequestLatencyMax, 1, 7.0, 7.0),
        ]
    );
    assert!(pushed.drain().is_empty());
}

#[test]
fn removes_control_characters_from_names() {
    let pushed = PushedMetrics::default();
    let software = ClientSoftware {
        name: "lib\u{7}rdkafka".to_owned(),
        version: "2.12.1\n".to_owned(),
    };
    let data = payload(&[metric(SEND_RATE, GAUGE, &[double(2.5)])]);
    let pusher = Pusher {
        client_id: "or\u{0}ders",
        software: Some(&software),
        ..TESTS
    };
    pushed.add(&pusher, (Compression::None, &data), MAX_BYTES).unwrap();
    let [message]: [proto::ClientTelemetry; 1] = pushed.drain().try_into().unwrap();
    assert_eq!(message.client_id, "or\u{fffd}ders");
    assert_eq!(message.software_name, "lib\u{fffd}rdkafka");
    assert_eq!(message.software_version, "2.12.1\u{fffd}");
    assert_eq!(message.metrics.len(), 1);
}

#[test]
fn combines_values_per_node_and_skips_topics_and_empty_values() {
    let pushed = PushedMetrics::default();
    let node = |value| [double(value), attribute("node_id")].concat();
    let data = payload(&[
        metric(LATENCY_AVG, GAUGE, &[node(2.0), node(4.0), node(f64::NAN)]),
        metric(LATENCY_MAX, GAUGE, &[node(5.0), node(9.0)]),
        metric(
            LAG_MAX,
            GAUGE,
            &[double(3.0), [attribute("partition"), double(80.0)].concat()],
        ),
        metric(SEND_RATE, GAUGE, &[double(f64::INFINITY)]),
    ]);
    add(&pushed, "a", 1, &data);
    assert_eq!(
        metrics_of(&pushed.drain()[0]),
        [
            (ClientMetric::ProducerNodeRequestLatencyAvg, 1, 3.0, 3.0),
            (ClientMetric::ProducerNodeRequestLatencyMax, 1, 9.0, 9.0),
            (ClientMetric::ConsumerFetchManagerRecordsLagMax, 1, 3.0, 3.0),
        ]
    );
}

#[test]
fn sums_instances_and_pushes_by_client_id() {
    let pushed = PushedMetrics::default();
    for (client_id, instance, value) in [("a", 1, 2.0), ("a", 2, 6.0), ("a", 1, 1.0), ("b", 3, 5.0)] {
        add(
            &pushed,
            client_id,
            instance,
            &payload(&[metric(SEND_RATE, GAUGE, &[double(value)])]),
        );
    }
    let messages = pushed.drain();
    let rate = ClientMetric::ProducerRecordSendRate;
    assert_eq!(metrics_of(&messages[0]), [(rate, 3, 9.0, 6.0)]);
    assert_eq!(metrics_of(&messages[1]), [(rate, 1, 5.0, 5.0)]);
    assert_eq!((messages[0].instance_ids.len(), messages[1].instance_ids.len()), (2, 1));
}

#[test]
fn limits_reads_and_refuses_wrong_compression() {
    let pushed = PushedMetrics::default();
    let data = payload(&[metric(SEND_RATE, GAUGE, &[double(1.0)])]);
    let whole = data.len() as u64;
    for (limit, is_read) in [(whole, true), (whole - 1, false)] {
        let outcome = pushed.add(&TESTS, (Compression::None, &data), limit);
        assert_eq!(outcome.is_ok(), is_read);
    }
    for compression in [
        Compression::Gzip,
        Compression::Snappy,
        Compression::Lz4,
        Compression::Zstd,
    ] {
        let outcome = pushed.add(&TESTS, (compression, &data), MAX_BYTES);
        assert!(outcome.is_err(), "{compression:?}: the bytes are not compressed");
    }
    assert_eq!(pushed.drain().len(), 1);
}

/// As clients compress: Java writes Snappy as a stream of blocks, librdkafka as a single block.
fn compressed(data: &[u8]) -> Vec<(&'static str, Compression, Vec<u8>)> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    gzip.write_all(data).unwrap();
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(data).unwrap();
    let block = |data: &[u8]| snap::raw::Encoder::new().compress_vec(data).unwrap();
    let mut snappy_stream = b"\x82SNAPPY\x00\x00\x00\x00\x01\x00\x00\x00\x01".to_vec();
    for chunk in data.chunks(32 << 10) {
        let block = block(chunk);
        snappy_stream.extend(u32::try_from(block.len()).unwrap().to_be_bytes());
        snappy_stream.extend(block);
    }
    vec![
        ("none", Compression::None, data.to_vec()),
        ("gzip", Compression::Gzip, gzip.finish().unwrap()),
        ("snappy stream", Compression::Snappy, snappy_stream),
        ("snappy block", Compression::Snappy, block(data)),
        ("lz4", Compression::Lz4, lz4.finish().unwrap()),
        ("zstd", Compression::Zstd, zstd::bulk::compress(data, 3).unwrap()),
    ]
}

/// Metrics data of exactly this length: one metric, and zeros in a field that is not read.
fn padded(len: usize) -> Vec<u8> {
    let mut data = payload(&[metric(SEND_RATE, GAUGE, &[double(2.5)])]);
    // The key of field 15, and its four-byte length.
    let zeros = len - data.len() - 5;
    let group = |index: usize| u8::try_from(zeros >> (7 * index) & 0x7f).unwrap();
    data.extend([15 << 3 | 2, group(0) | 0x80, group(1) | 0x80, group(2) | 0x80, group(3)]);
    data.resize(len, 0);
    data
}

#[test]
fn reads_each_compression_up_to_the_limit_and_no_further() {
    let limit = usize::try_from(MAX_BYTES).unwrap();
    for (len, is_read) in [(100, true), (limit, true), (limit + 1, false)] {
        for (name, compression, bytes) in compressed(&padded(len)) {
            let pushed = PushedMetrics::default();
            let outcome = pushed.add(&TESTS, (compression, &bytes), MAX_BYTES);
            assert_eq!(outcome.is_ok(), is_read, "{name} of {len} bytes");
            let metrics: Vec<_> = pushed.drain().iter().flat_map(metrics_of).collect();
            let expected = (ClientMetric::ProducerRecordSendRate, 1, 2.5, 2.5);
            assert_eq!(metrics, Vec::from_iter(is_read.then_some(expected)), "{name}");
        }
    }
}

#[test]
fn refuses_a_small_payload_that_decompresses_to_much() {
    let bomb = padded(64 << 20);
    let bombs = compressed(&bomb);
    for (name, compression, bytes) in bombs.iter().filter(|(name, ..)| *name != "none") {
        let pushed = PushedMetrics::default();
        assert!(bytes.len() < bomb.len() / 10, "{name} has {} bytes", bytes.len());
        assert!(pushed.add(&TESTS, (*compression, bytes), MAX_BYTES).is_err(), "{name}");
        assert!(pushed.drain().is_empty(), "{name}");
    }
}

#[test]
fn refuses_a_truncated_or_garbage_payload_as_a_whole() {
    let pushed = PushedMetrics::default();
    let data = payload(&[metric(SEND_RATE, GAUGE, &[double(1.0)])]);
    for len in 1..data.len() {
        let cut = (Compression::None, &data[..len]);
        assert!(pushed.add(&TESTS, cut, MAX_BYTES).is_err(), "{len} bytes");
    }
    for garbage in [
        &b"\x0b"[..],
        b"\x02\x00",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    ] {
        let outcome = pushed.add(&TESTS, (Compression::None, garbage), MAX_BYTES);
        assert!(outcome.is_err(), "{garbage:?}");
    }
    assert!(pushed.drain().is_empty());
}

#[test]
fn bounds_client_ids_and_instances_but_keeps_known_ids() {
    let pushed = PushedMetrics::default();
    let data = payload(&[metric(SEND_RATE, GAUGE, &[double(1.0)])]);
    for number in 0..2 * MAX_CLIENT_IDS {
        add(&pushed, &format!("client-{number:03}"), 1, &data);
    }
    let first = pushed.drain();
    assert_eq!(first.len(), MAX_CLIENT_IDS);
    assert_eq!(first[MAX_CLIENT_IDS - 1].client_id, "client-099");
    for number in 0..2 * u8::try_from(MAX_INSTANCES).unwrap() {
        add(&pushed, "client-050", number, &data);
    }
    add(&pushed, "client-150", 1, &data);
    add(&pushed, &"c".repeat(MAX_CLIENT_ID_CHARS + 1), 1, &data);
    let second = pushed.drain();
    assert_eq!(second.len(), 1);
    assert_eq!(second[0].instance_ids.len(), MAX_INSTANCES);
    // The second hundred, client-150 again, and the long id.
    assert_eq!(pushed.take_left_out(), MAX_CLIENT_IDS as u64 + 2);
    assert_eq!(pushed.take_left_out(), 0);
}

#[test]
fn an_id_without_pushes_for_an_hour_makes_room() {
    let (mut state, start) = (State::default(), Instant::now());
    for number in 0..MAX_CLIENT_IDS {
        assert!(state.admit(&number.to_string(), start));
    }
    assert!(state.admit("0", start + CLIENT_ID_EXPIRY / 2));
    assert!(!state.admit("new", start + CLIENT_ID_EXPIRY / 2));
    assert!(state.admit("new", start + CLIENT_ID_EXPIRY));
    assert_eq!(state.last_pushes.len(), 2);
}
