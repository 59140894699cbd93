//! Hostile frames: whatever the bytes, decoding neither panics nor allocates more than a small multiple of their size.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use bytes::Bytes;
use penstock_wire::messages::*;
use penstock_wire::record_batch::{
    Batch, BatchError, Batches, CheckedRecords, MAX_UNCOMPRESSED_BYTES, RecordRules, Records, check_records,
    decompressed_records, first_record_at_or_after, latest_record, window_bytes,
};
use penstock_wire::{ApiKey, Message, Reader, Request, RequestHeader};
use proptest::prelude::*;

/// Counts the memory held by each thread, and its peak.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // Fails only during thread teardown, when nothing is measured.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call is forwarded unchanged to the system allocator, which fulfils the contract. Counting allocates
// nothing, since the thread-locals are const-initialized.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The peak memory of `work`, beyond what was held before.
fn peak_bytes<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    PEAK.set(before);
    let result = work();
    (usize::try_from(PEAK.get() - before).unwrap_or(0), result)
}

/// Maximum ratio of memory to frame bytes: the largest struct per smallest encoding, and both the old and new buffer of
/// a growing array.
const MAX_EXPANSION: usize = 100;
/// Memory that arrays reserve before their first element is read, and the error's own text.
const CONSTANT_BYTES: usize = 80 * 1024;

fn decode_body(key: ApiKey, version: i16, frame: Bytes) -> bool {
    macro_rules! decode {
        ($($key:ident $request:ident $response:ident;)*) => {
            match key {
                $(ApiKey::$key => {
                    let request = $request::decode(&mut Reader::new(frame.clone()), version);
                    let response = <$request as Request>::Response::decode(&mut Reader::new(frame), version);
                    let _: &Result<$response, _> = &response;
                    request.is_ok() || response.is_ok()
                })*
            }
        };
    }
    decode! {
        Produce ProduceRequest ProduceResponse;
        Fetch FetchRequest FetchResponse;
        ListOffsets ListOffsetsRequest ListOffsetsResponse;
        Metadata MetadataRequest MetadataResponse;
        OffsetCommit OffsetCommitRequest OffsetCommitResponse;
        OffsetFetch OffsetFetchRequest OffsetFetchResponse;
        FindCoordinator FindCoordinatorRequest FindCoordinatorResponse;
        JoinGroup JoinGroupRequest JoinGroupResponse;
        Heartbeat HeartbeatRequest HeartbeatResponse;
        LeaveGroup LeaveGroupRequest LeaveGroupResponse;
        SyncGroup SyncGroupRequest SyncGroupResponse;
        DescribeGroups DescribeGroupsRequest DescribeGroupsResponse;
        ListGroups ListGroupsRequest ListGroupsResponse;
        SaslHandshake SaslHandshakeRequest SaslHandshakeResponse;
        SaslAuthenticate SaslAuthenticateRequest SaslAuthenticateResponse;
        ApiVersions ApiVersionsRequest ApiVersionsResponse;
        CreateTopics CreateTopicsRequest CreateTopicsResponse;
        DeleteTopics DeleteTopicsRequest DeleteTopicsResponse;
        DeleteRecords DeleteRecordsRequest DeleteRecordsResponse;
        InitProducerId InitProducerIdRequest InitProducerIdResponse;
        OffsetForLeaderEpoch OffsetForLeaderEpochRequest OffsetForLeaderEpochResponse;
        DescribeConfigs DescribeConfigsRequest DescribeConfigsResponse;
        CreatePartitions CreatePartitionsRequest CreatePartitionsResponse;
        DeleteGroups DeleteGroupsRequest DeleteGroupsResponse;
        IncrementalAlterConfigs IncrementalAlterConfigsRequest IncrementalAlterConfigsResponse;
        OffsetDelete OffsetDeleteRequest OffsetDeleteResponse;
        DescribeAcls DescribeAclsRequest DescribeAclsResponse;
        CreateAcls CreateAclsRequest CreateAclsResponse;
        DeleteAcls DeleteAclsRequest DeleteAclsResponse;
        DescribeClientQuotas DescribeClientQuotasRequest DescribeClientQuotasResponse;
        AlterClientQuotas AlterClientQuotasRequest AlterClientQuotasResponse;
        DescribeUserScramCredentials DescribeUserScramCredentialsRequest DescribeUserScramCredentialsResponse;
        AlterUserScramCredentials AlterUserScramCredentialsRequest AlterUserScramCredentialsResponse;
        DescribeCluster DescribeClusterRequest DescribeClusterResponse;
        AddPartitionsToTxn AddPartitionsToTxnRequest AddPartitionsToTxnResponse;
        AddOffsetsToTxn AddOffsetsToTxnRequest AddOffsetsToTxnResponse;
        EndTxn EndTxnRequest EndTxnResponse;
        WriteTxnMarkers WriteTxnMarkersRequest WriteTxnMarkersResponse;
        TxnOffsetCommit TxnOffsetCommitRequest TxnOffsetCommitResponse;
        DescribeProducers DescribeProducersRequest DescribeProducersResponse;
        DescribeTransactions DescribeTransactionsRequest DescribeTransactionsResponse;
        ListTransactions ListTransactionsRequest ListTransactionsResponse;
        AlterConfigs AlterConfigsRequest AlterConfigsResponse;
        AlterReplicaLogDirs AlterReplicaLogDirsRequest AlterReplicaLogDirsResponse;
        DescribeLogDirs DescribeLogDirsRequest DescribeLogDirsResponse;
        CreateDelegationToken CreateDelegationTokenRequest CreateDelegationTokenResponse;
        RenewDelegationToken RenewDelegationTokenRequest RenewDelegationTokenResponse;
        ExpireDelegationToken ExpireDelegationTokenRequest ExpireDelegationTokenResponse;
        DescribeDelegationToken DescribeDelegationTokenRequest DescribeDelegationTokenResponse;
        ElectLeaders ElectLeadersRequest ElectLeadersResponse;
        AlterPartitionReassignments AlterPartitionReassignmentsRequest AlterPartitionReassignmentsResponse;
        ListPartitionReassignments ListPartitionReassignmentsRequest ListPartitionReassignmentsResponse;
        DescribeQuorum DescribeQuorumRequest DescribeQuorumResponse;
        UpdateFeatures UpdateFeaturesRequest UpdateFeaturesResponse;
        GetTelemetrySubscriptions GetTelemetrySubscriptionsRequest GetTelemetrySubscriptionsResponse;
        PushTelemetry PushTelemetryRequest PushTelemetryResponse;
        ConsumerGroupHeartbeat ConsumerGroupHeartbeatRequest ConsumerGroupHeartbeatResponse;
        ConsumerGroupDescribe ConsumerGroupDescribeRequest ConsumerGroupDescribeResponse;
        ListConfigResources ListConfigResourcesRequest ListConfigResourcesResponse;
        DescribeTopicPartitions DescribeTopicPartitionsRequest DescribeTopicPartitionsResponse;
    }
}

fn every_version(frame: &Bytes) {
    let bound = CONSTANT_BYTES + MAX_EXPANSION * frame.len();
    for key in ApiKey::ALL {
        for version in 0..=*key.versions().end() {
            let (peak, _) = peak_bytes(|| decode_body(*key, version, frame.clone()));
            assert!(
                peak <= bound,
                "{key:?} {version} held {peak} bytes for a frame of {}",
                frame.len()
            );
        }
    }
    let (peak, _) = peak_bytes(|| RequestHeader::decode(&mut Reader::new(frame.clone())));
    assert!(peak <= bound);
}

/// Bytes that look like lengths and counts more often than random bytes would.
fn soup() -> impl Strategy<Value = Bytes> {
    let piece = prop_oneof![
        Just(vec![0x7f, 0xff, 0xff, 0xff]),
        Just(vec![0xff, 0xff, 0xff, 0xff]),
        Just(vec![0xff, 0xff, 0xff, 0xff, 0x0f]),
        Just(vec![0x80, 0x80, 0x80, 0x80, 0x80, 0x80]),
        Just(vec![0, 0, 0, 1]),
        Just(vec![0, 1]),
        Just(vec![1]),
        Just(vec![2]),
        Just(vec![0; 16]),
        prop::collection::vec(any::<u8>(), 0..12),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat().into())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_bytes_make_decoding_panic_or_allocate_too_much(frame in soup()) {
        every_version(&frame);
    }

    #[test]
    fn no_bytes_make_a_batch_check_panic_or_allocate_too_much(
        payload in soup(),
        codec in 0u8..8,
        count in any::<i32>(),
    ) {
        let batch = batch(codec, count, &payload);
        let (peak, _) = peak_bytes(|| {
            let checked = [RecordRules::default(), RecordRules::new(true, Some(0..=5))].map(|rules| check(&batch, &rules));
            let found = [first_record_at_or_after(&batch, 0, 5), latest_record(&batch, 0)];
            (checked, found)
        });
        // Covers the zlib and zstd decoders and the scratch buffer. Zstd may reserve, but not fill, a window of 128 MiB
        // outside this allocator.
        assert!(peak <= 1024 * 1024, "{peak} bytes for codec {codec}");
        let _ = decompressed_records(&batch, 1 << 20).map(|content| Records::new(content).count());
        let _ = Batches::new(payload).count();
    }
}

fn check(batch: &Batch, rules: &RecordRules) -> Result<CheckedRecords, BatchError> {
    check_records(batch, rules, MAX_UNCOMPRESSED_BYTES)
}

fn measured(batch: &Batch) -> Result<CheckedRecords, BatchError> {
    check(batch, &RecordRules::default())
}

fn batch(codec: u8, count: i32, payload: &[u8]) -> Batch {
    let mut bytes = vec![0; 61];
    let length = i32::try_from(49 + payload.len()).unwrap();
    bytes[8..12].copy_from_slice(&length.to_be_bytes());
    bytes[16] = 2;
    bytes[22] = codec;
    bytes[35..43].copy_from_slice(&i64::MAX.to_be_bytes());
    bytes[57..61].copy_from_slice(&count.to_be_bytes());
    bytes.extend_from_slice(payload);
    Batch::split_off(&mut bytes.into()).unwrap()
}

#[test]
fn refuses_an_array_of_two_billion_elements_immediately() {
    let frame = Bytes::from_static(&[0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    let (peak, refused) = peak_bytes(|| MetadataRequest::decode(&mut Reader::new(frame), 1));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "field MetadataRequest.topics: claims 2147483647 elements but the 4 bytes left cannot hold them"
    );
    assert!(peak < 1024, "{peak}");
}

#[test]
fn a_frame_of_smallest_elements_takes_bounded_memory() {
    // A compact array of one-byte empty strings has the protocol's worst ratio of memory to encoded bytes.
    let mut frame = vec![0x81, 0x80, 0x40]; // 1,048,576 elements
    frame.resize(1 << 20, 1);
    frame.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0]);
    every_version(&frame.into());
}

#[test]
fn an_element_limit_bounds_memory_for_any_frame_length() {
    // 16 million topics of two bytes each (an empty name and no tagged fields), and their count.
    let mut frame = vec![0x81, 0x80, 0x80, 0x08];
    frame.resize(64 << 20, 0);
    frame[4..].chunks_mut(2).for_each(|topic| topic[0] = 1);
    let frame = Bytes::from(frame);
    let limited = |elements| Reader::with_element_limit(frame.clone(), elements);
    let (peak, refused) = peak_bytes(|| MetadataRequest::decode(&mut limited(100_000), 9));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "field MetadataRequest.topics: has more elements than a request may have"
    );
    assert!(peak < 1024, "{peak}");
}

#[test]
fn checks_an_endless_record_in_constant_memory_up_to_the_limit() {
    use std::io::Write as _;
    // The head of the longest possible record: no attributes, no deltas, no key, and an endless value.
    let head = [0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 1, 0xe0, 0xff, 0xff, 0xff, 0x0f];
    let zeros = vec![0u8; 1 << 20];
    let mut zstd = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    zstd.write_all(&head).unwrap();
    for _ in 0..1025 {
        zstd.write_all(&zeros).unwrap();
    }
    let bomb = batch(4, 1, &zstd.finish().unwrap());
    let (peak, refused) = peak_bytes(|| check(&bomb, &RecordRules::default()));
    assert!(refused.unwrap_err().to_string().contains("more than 1073741824 bytes"));
    assert!(peak < 1024 * 1024, "{peak}");
}

#[test]
fn a_limit_stops_a_bomb_of_any_codec_early() {
    use std::io::Write as _;
    let mut section = vec![0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 1, 0xe0, 0xff, 0xff, 0xff, 0x0f];
    section.resize(16 << 20, 0);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&section).unwrap();
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(Vec::new());
    lz4.write_all(&section).unwrap();
    let payloads = [
        gzip.finish().unwrap(),
        snap::raw::Encoder::new().compress_vec(&section).unwrap(),
        lz4.finish().unwrap(),
        zstd::stream::encode_all(&section[..], 3).unwrap(),
    ];
    for (codec, payload) in (1u8..).zip(payloads) {
        let bomb = batch(codec, 1, &payload);
        let (peak, refused) = peak_bytes(|| check_records(&bomb, &RecordRules::default(), 1 << 20));
        assert_eq!(
            refused.unwrap_err(),
            BatchError::TooLarge { limit_bytes: 1 << 20 },
            "{codec}"
        );
        assert!(peak < 9 << 20, "codec {codec} held {peak} bytes");
    }
}

#[test]
fn predicts_the_memory_for_reading_a_batch() {
    use std::io::Write as _;
    const MIB: u64 = 1 << 20;
    const TABLES: u64 = MIB / 2;
    let section = vec![0u8; 3 << 20];
    let zstd = |window_log: u32| {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(window_log).unwrap();
        encoder.write_all(&section).unwrap();
        encoder.finish().unwrap()
    };
    let mut lz4 = lz4_flex::frame::FrameEncoder::with_frame_info(
        lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max1MB),
        Vec::new(),
    );
    lz4.write_all(&section).unwrap();
    let cases = [
        (0, section.clone(), 0),
        (1, vec![0x1f, 0x8b], TABLES),
        (
            2,
            snap::raw::Encoder::new().compress_vec(&section).unwrap(),
            TABLES + 3 * MIB,
        ),
        // 128 MiB and one byte, which three length bytes cannot express.
        (2, vec![0x81, 0x80, 0x80, 0x40, 0xff, 0xff, 0xff], TABLES),
        (3, lz4.finish().unwrap(), TABLES + MIB),
        (4, zstd::bulk::compress(&section, 3).unwrap(), TABLES + 2 * MIB),
        // A single segment, whose window is the content.
        (4, zstd::bulk::compress(&section[..(1 << 20)], 3).unwrap(), TABLES + MIB),
        (4, zstd::bulk::compress(&section[..300], 3).unwrap(), TABLES + 300),
        (4, zstd(20), TABLES + MIB),
        (4, [zstd(19), zstd(21), zstd(20)].concat(), TABLES + 2 * MIB),
        (4, zstd(27), TABLES + 128 * MIB),
        (4, vec![0x28], TABLES),
    ];
    for (codec, payload, expected) in cases {
        let batch = batch(codec, 1, &payload);
        assert_eq!(window_bytes(&batch), Ok(expected), "codec {codec}");
        let (peak, _) = peak_bytes(|| check(&batch, &RecordRules::default()));
        assert!(peak as u64 <= expected, "codec {codec} held {peak} bytes");
    }
}

#[test]
fn refuses_a_snappy_preamble_of_gigabytes_before_any_work() {
    let (peak, refused) = peak_bytes(|| measured(&batch(2, 1, &[0xff, 0xff, 0xff, 0xff, 0x0f, 0x00])));
    assert!(refused.unwrap_err().to_string().contains("more than 1073741824 bytes"));
    assert!(peak < 1024, "{peak}");
}

#[test]
fn allocates_nothing_for_an_impossible_snappy_preamble() {
    let two_mebibytes_of_three_bytes = batch(2, 1, &[0x80, 0x80, 0x7f, 0xff, 0xff, 0xff]);
    let (peak, refused) = peak_bytes(|| {
        let refused = measured(&two_mebibytes_of_three_bytes);
        let _ = first_record_at_or_after(&two_mebibytes_of_three_bytes, 0, 5);
        refused
    });
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("more than the block can hold")
    );
    assert!(peak < 128 * 1024, "{peak}");
}
