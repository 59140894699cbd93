use std::time::Duration;

use tokio::io::AsyncWriteExt as _;

use super::*;

fn limits() -> ServerLimits {
    ServerLimits {
        max_frame_bytes: 64 << 20,
        max_in_flight_bytes: 1 << 20,
        ..Default::default()
    }
}

fn frame(content: &[u8]) -> Vec<u8> {
    let mut frame = u32::try_from(content.len()).unwrap().to_be_bytes().to_vec();
    frame.extend_from_slice(content);
    frame
}

fn budget() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(1 << 20))
}

/// Returns the frames read when `sent` arrives in pieces of `piece` bytes before the peer closes.
async fn read_all(sent: Vec<u8>, piece: usize) -> (Vec<Bytes>, Result<(), FrameError>) {
    let (mut ours, mut theirs) = tokio::io::duplex(piece);
    let writing = tokio::spawn(async move {
        // Fails if the reader has stopped, which some tests expect.
        let _ = ours.write_all(&sent).await;
    });
    let (limits, budget) = (limits(), budget());
    let mut reader = FrameReader::new(&limits, Arc::default(), Arc::default());
    let mut frames = Vec::new();
    let ended = loop {
        match reader.next(&mut theirs, &limits, &budget).await {
            Ok(Some(frame)) => frames.push(frame.bytes),
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    drop(theirs);
    writing.await.unwrap();
    assert_eq!(budget.available_permits(), 1 << 20, "all memory is given back");
    (frames, ended)
}

#[tokio::test]
async fn reads_whole_frames_however_they_are_split() {
    let contents: Vec<Vec<u8>> = [1, 5, 300_000, 2, 128 << 10, 7]
        .iter()
        .map(|len| vec![*len as u8; *len])
        .collect();
    let sent: Vec<u8> = contents.iter().flat_map(|content| frame(content)).collect();
    for piece in [13, 1000, 1 << 20] {
        let (frames, ended) = read_all(sent.clone(), piece).await;
        ended.unwrap();
        assert!(frames == contents, "in pieces of {piece}");
    }
}

#[tokio::test]
async fn a_cancelled_call_loses_nothing() {
    let (mut ours, mut theirs) = tokio::io::duplex(64);
    let (limits, budget) = (limits(), budget());
    let mut reader = FrameReader::new(&limits, Arc::default(), Arc::default());
    for byte in frame(b"hello") {
        let early = tokio::time::timeout(Duration::ZERO, reader.next(&mut theirs, &limits, &budget)).await;
        assert!(early.is_err());
        ours.write_all(&[byte]).await.unwrap();
    }
    assert_eq!(
        reader.next(&mut theirs, &limits, &budget).await.unwrap().unwrap().bytes,
        "hello"
    );
}

#[tokio::test]
async fn refuses_invalid_request_lengths() {
    for length in [
        [0, 0, 0, 0],
        [0x7f, 0xff, 0xff, 0xff],
        [0xff, 0xff, 0xff, 0xff],
        [0x16, 3, 1, 2],
    ] {
        let (frames, ended) = read_all(length.to_vec(), 10).await;
        assert!(frames.is_empty());
        assert!(matches!(ended, Err(FrameError::BadLength(_))), "{length:?}");
    }
}

#[tokio::test]
async fn detects_a_peer_that_closes_mid_frame() {
    let (_, ended) = read_all(vec![0, 0, 0, 9, 1, 2], 10).await;
    assert!(matches!(ended, Err(FrameError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof));
}

#[tokio::test]
async fn an_announced_length_reserves_little_memory_and_no_budget() {
    let (mut ours, mut theirs) = tokio::io::duplex(64);
    let (limits, budget) = (limits(), budget());
    let mut reader = FrameReader::new(&limits, Arc::default(), Arc::default());
    ours.write_all(&(60u32 << 20).to_be_bytes()).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(50), reader.next(&mut theirs, &limits, &budget)).await;
    assert!(early.is_err());
    assert!(reader.partial.as_ref().unwrap().buffer.capacity() <= UNPROVEN_BYTES + 64);
    assert_eq!(budget.available_permits(), 1 << 20);
}

#[tokio::test]
async fn a_frame_waits_for_the_budget_and_holds_it() {
    let (limits, budget) = (limits(), budget());
    let all = Arc::clone(&budget).acquire_many_owned(1 << 20).await.unwrap();
    let (mut ours, mut theirs) = tokio::io::duplex(64);
    let mut reader = FrameReader::new(&limits, Arc::default(), Arc::default());
    ours.write_all(&frame(b"hello")).await.unwrap();
    let early = tokio::time::timeout(Duration::from_millis(50), reader.next(&mut theirs, &limits, &budget)).await;
    assert!(early.is_err());
    drop(all);
    let frame = reader.next(&mut theirs, &limits, &budget).await.unwrap().unwrap();
    assert_eq!(budget.available_permits(), (1 << 20) - 5);
    drop(frame);
    assert_eq!(budget.available_permits(), 1 << 20);
}

#[tokio::test]
async fn distinguishes_a_stalled_frame_from_an_idle_connection() {
    let limits = ServerLimits {
        idle_timeout: Duration::from_millis(40),
        frame_timeout: Duration::from_millis(20),
        ..limits()
    };
    let budget = budget();
    let (mut ours, mut theirs) = tokio::io::duplex(64);
    let mut idle = FrameReader::new(&limits, Arc::default(), Arc::default());
    assert!(matches!(
        idle.next(&mut theirs, &limits, &budget).await,
        Err(FrameError::Idle)
    ));
    let mut stalled = FrameReader::new(&limits, Arc::default(), Arc::default());
    ours.write_all(&[0, 0, 0, 9, 1]).await.unwrap();
    let started = Instant::now();
    assert!(matches!(
        stalled.next(&mut theirs, &limits, &budget).await,
        Err(FrameError::Stalled)
    ));
    assert!(started.elapsed() >= limits.frame_timeout);
}
