//! Measures the CPU cost of traces per request: off, for one request in a hundred, and for every request. Includes
//! encoding and sending to a collector in the same process that discards them. Run it with `cargo run --release -p
//! penstock-traces --example span_cost`.

use penstock_traces::{KeyValue, Settings, SpanKind, Traces};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// Number of requests between pauses for the exporter.
const BURST: u64 = 256;

/// The spans of a Produce request that has a data file of its own. A busy agent makes fewer per request, because files
/// are shared.
fn request(traces: &Traces) {
    let mut span = traces.root("produce", SpanKind::Server);
    span.rename(|| "produce orders".to_owned());
    span.describe(|| {
        vec![
            KeyValue::new("messaging.system", "kafka"),
            KeyValue::new("messaging.operation.name", "produce"),
            KeyValue::new("messaging.operation.type", "send"),
            KeyValue::new("messaging.client.id", "producer-1".to_owned()),
            KeyValue::new("messaging.destination.name", "orders".to_owned()),
            KeyValue::new("penstock.partition.count", 8),
            KeyValue::new("penstock.record_batches.bytes", 100_000),
        ]
    });
    let flush = span.child("flush", SpanKind::Internal);
    for name in ["wait in buffer", "PUT data file", "CommitFile"] {
        let mut step = flush.child(name, SpanKind::Client);
        step.describe(|| vec![KeyValue::new("penstock.file.bytes", 100_000)]);
    }
}

/// User and system time of this process, in nanoseconds.
fn cpu_ns() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks = fields.split_whitespace().skip(11).take(2);
    // A tick is 10 ms on every Linux that we support.
    ticks.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10_000_000
}

async fn collect(listener: TcpListener) -> std::io::Result<()> {
    loop {
        let (mut socket, _) = listener.accept().await?;
        tokio::spawn(async move {
            let mut buffer = vec![0; 1 << 20];
            let mut expected = 0;
            while let Ok(read @ 1..) = socket.read(&mut buffer).await {
                let head = String::from_utf8_lossy(&buffer[..read.min(1024)]).to_lowercase();
                if let Some((_, length)) = head.split_once("content-length: ") {
                    let body = head.find("\r\n\r\n").map_or(0, |end| read - end - 4);
                    let length: usize = length.lines().next().and_then(|line| line.parse().ok()).unwrap_or(0);
                    expected = length.saturating_sub(body);
                } else {
                    expected = expected.saturating_sub(read);
                }
                if expected == 0 {
                    let _ = socket.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
                }
            }
        });
    }
}

async fn measure(name: &str, requests: u64, traces: &Traces) {
    let before_ns = cpu_ns();
    for _ in 0..requests / BURST {
        for _ in 0..BURST {
            request(std::hint::black_box(traces));
        }
        if traces.is_on() {
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
    }
    traces.stop(std::time::Duration::from_secs(5)).await;
    let ns = (cpu_ns() - before_ns) / requests;
    println!("{name:8} {ns:7} ns per request  {:?}", traces.counts());
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let endpoint = format!("http://{}", listener.local_addr()?);
    tokio::spawn(collect(listener));
    measure("off", 200_000_000, &Traces::off()).await;
    for (name, share, requests) in [("1 %", "0.01", 2_000_000), ("100 %", "1", 200_000)] {
        let settings = Settings::read(Vec::new(), &|variable| match variable {
            "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(endpoint.clone()),
            "OTEL_TRACES_SAMPLER" => Some("parentbased_traceidratio".to_owned()),
            "OTEL_TRACES_SAMPLER_ARG" => Some(share.to_owned()),
            "OTEL_BSP_MAX_QUEUE_SIZE" => Some("100000".to_owned()),
            _ => None,
        })?;
        measure(name, requests, &Traces::start(settings)?).await;
    }
    Ok(())
}
