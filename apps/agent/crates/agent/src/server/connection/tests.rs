use std::io::IoSlice;
use std::pin::Pin;
use std::task::{Context, Poll};

use penstock_handlers::Response;
use penstock_wire::Frame;

use super::*;

/// Accepts all bytes immediately and records each write separately.
#[derive(Default)]
struct Writes(Vec<Vec<u8>>);

impl AsyncWrite for Writes {
    fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.0.push(bytes.to_vec());
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let joined: Vec<u8> = slices.iter().flat_map(|slice| slice.iter().copied()).collect();
        self.poll_write(context, &joined)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// A response of several chunks, like one with records.
fn response<const N: usize>(chunks: [&[u8]; N]) -> Response {
    Response::from(Frame {
        len: chunks.iter().map(|chunk| chunk.len()).sum(),
        chunks: chunks.map(Bytes::copy_from_slice).into(),
        error_codes: Vec::new(),
    })
}

fn ready(answer: Result<Response, EncodeError>) -> Answer {
    std::future::ready(answer).boxed()
}

fn in_flight(answers: impl IntoIterator<Item = Answer>) -> InFlightRequests {
    let mut in_flight = InFlightRequests::default();
    for answer in answers {
        in_flight.add(Dispatched::Admitted(answer));
    }
    in_flight
}

/// Sends the first response as a connection does, and returns the writes.
async fn send_first(in_flight: &mut InFlightRequests) -> (Vec<Vec<u8>>, Result<Duration, CloseReason>) {
    let mut outgoing = Writes::default();
    let first = in_flight.answers.next().await.unwrap();
    let sent = send(Duration::from_secs(60), &mut outgoing, first, in_flight).await;
    (outgoing.0, sent)
}

#[tokio::test]
async fn responses_ready_together_leave_in_order_in_one_write() {
    let answers = [b"1", b"2", b"3", b"4", b"5"].map(|head| ready(Ok(response([head, b"-"]))));
    let mut in_flight = in_flight(answers);
    let (writes, sent) = send_first(&mut in_flight).await;
    assert_eq!(writes, [b"1-2-3-4-5-"]);
    assert_eq!(sent.unwrap(), Duration::ZERO);
    assert!(in_flight.answers.is_empty());
}

#[tokio::test]
async fn a_response_never_waits_for_later_ones() {
    let answers = [
        ready(Ok(response([b"1", b"-"]))),
        std::future::pending().boxed(),
        ready(Ok(response([b"3", b"-"]))),
    ];
    let mut in_flight = in_flight(answers);
    let (writes, sent) = send_first(&mut in_flight).await;
    assert_eq!(writes, [b"1-"]);
    sent.unwrap();
    assert_eq!(in_flight.answers.len(), 2);
}

#[tokio::test]
async fn nothing_joins_the_write_of_a_large_response() {
    let large = vec![b'1'; JOINED_BYTES];
    let mut in_flight = in_flight([ready(Ok(response([&large]))), ready(Ok(response([b"2", b"-"])))]);
    let (writes, sent) = send_first(&mut in_flight).await;
    assert!(writes == [large]);
    sent.unwrap();
    let (writes, _) = send_first(&mut in_flight).await;
    assert_eq!(writes, [b"2-"]);
}

#[tokio::test]
async fn throttles_for_the_longest_time_of_responses_sent_together() {
    let held = |seconds| Response {
        held: Duration::from_secs(seconds),
        ..response([b"1", b"-"])
    };
    let mut in_flight = in_flight([1, 3, 2].map(|seconds| ready(Ok(held(seconds)))));
    let (_, sent) = send_first(&mut in_flight).await;
    assert_eq!(sent.unwrap(), Duration::from_secs(3));
}

#[tokio::test]
async fn responses_before_an_unencodable_one_are_still_sent() {
    let mut in_flight = in_flight([
        ready(Ok(response([b"1", b"-"]))),
        ready(Err(EncodeError::UnknownVersion(9))),
        ready(Ok(response([b"3", b"-"]))),
    ]);
    let (writes, sent) = send_first(&mut in_flight).await;
    assert_eq!(writes, [b"1-"]);
    assert!(matches!(sent, Err(CloseReason::Unanswerable(_))));
}

#[tokio::test]
async fn a_request_being_admitted_delays_only_later_ones() {
    let mut in_flight = in_flight([ready(Ok(response([b"1"])))]);
    let (admit, admitted) = tokio::sync::oneshot::channel();
    in_flight.add(Dispatched::Admitting(admitted.map(Result::unwrap).boxed()));
    assert!(!in_flight.admits(false));
    assert!(matches!(in_flight.progress().await, Some(Progress::Answered(_))));
    assert!(in_flight.progress().now_or_never().is_none());
    assert!(!in_flight.admits(false));
    assert!(admit.send(ready(Ok(response([b"2"])))).is_ok());
    assert!(matches!(in_flight.progress().await, Some(Progress::Admitted)));
    assert!(in_flight.admits(false));
    assert!(!in_flight.admits(true));
    assert!(matches!(in_flight.progress().await, Some(Progress::Answered(_))));
    assert!(in_flight.progress().await.is_none());
}
