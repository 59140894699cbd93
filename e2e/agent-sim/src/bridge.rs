//! The metadata service in a Node process, spoken to in lock-step: each frame is answered before time goes on.
//! e2e/metadata-sim/src/bridge/README.md describes the frames.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};
use tokio::time::sleep_until;

use crate::clock::Clock;
use crate::trace::Trace;

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const COMPILE_CACHE: &str = ".penstock/compile-cache";
/// The header in which a process names the owner.
const OWNER_URL: &str = "penstock-owner-url";
const PROGRAM: &str = "e2e/metadata-sim/src/bridge/main.ts";

/// The service's answer to a call.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) header: Value,
    pub(crate) body: Bytes,
}

/// The first frame of the service.
#[derive(Debug, Clone)]
pub(crate) struct Ready {
    pub(crate) at_ms: i64,
    pub(crate) cluster: String,
    pub(crate) agent_key: String,
    /// The addresses of the service's processes.
    pub(crate) urls: Vec<String>,
}

/// A call of an agent.
pub(crate) struct Call<'a> {
    /// The process that is called.
    pub(crate) url: &'a str,
    pub(crate) method: &'a str,
    pub(crate) headers: &'a Value,
    pub(crate) body: &'a [u8],
}

/// Counts of calls and streams, for the outcome of the seed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) calls: u64,
    /// Watch streams that were opened.
    pub(crate) watches: u64,
    /// Calls that a process refused because another one owns the cluster.
    pub(crate) redirects: u64,
    /// Calls and streams that ended because a process died or could not be reached.
    pub(crate) resets: u64,
}

enum Caller {
    Unary(oneshot::Sender<Answer>),
    Stream(mpsc::UnboundedSender<Answer>),
}

/// The process. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Bridge {
    process: Arc<Mutex<Process>>,
    changed: Arc<Notify>,
    clock: Clock,
    trace: Trace,
}

struct Process {
    /// `None`: another process started the service, and lends it.
    child: Option<Child>,
    input: Box<dyn Write + Send>,
    output: BufReader<Box<dyn Read + Send>>,
    callers: BTreeMap<u64, Caller>,
    next_id: u64,
    next_at_ms: Option<i64>,
    counts: Counts,
    jobs: BTreeMap<&'static str, u64>,
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A started process, before the simulation's clock is known.
pub(crate) struct Started {
    process: Process,
    pub(crate) ready: Ready,
}

/// Starts the program of the service, with pipes.
pub(crate) fn spawn(node: &str, seed: u64) -> io::Result<(Child, ChildStdin, ChildStdout)> {
    let mut child = Command::new(Path::new(ROOT).join(node))
        .args([
            "--disable-warning=ExperimentalWarning",
            PROGRAM,
            "--seed",
            &seed.to_string(),
        ])
        .current_dir(ROOT)
        // Compiling its modules takes a fifth of a seed's time.
        .env("NODE_COMPILE_CACHE", Path::new(ROOT).join(COMPILE_CACHE))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    match (child.stdin.take(), child.stdout.take()) {
        (Some(input), Some(output)) => Ok((child, input, output)),
        _ => Err(io::Error::other("the metadata service has no pipes")),
    }
}

/// Starts the service for this seed.
pub(crate) fn start(node: &str, seed: u64) -> io::Result<Started> {
    let (child, input, output) = spawn(node, seed)?;
    Process::new(Some(child), Box::new(input), Box::new(output)).until_ready()
}

/// Begins a history of this seed with the service at the other end of standard input and output.
pub(crate) fn borrow(seed: u64) -> io::Result<Started> {
    let mut process = Process::new(None, Box::new(io::stdout()), Box::new(io::stdin()));
    process.write(&json!({"type": "restart", "seed": seed}), &[])?;
    process.until_ready()
}

impl Counts {
    fn add(&mut self, header: &Value) {
        self.resets += u64::from(header["reset"] == true);
        self.redirects += u64::from(header["error"]["metadata"][OWNER_URL].is_string());
    }
}

impl Process {
    fn new(child: Option<Child>, input: Box<dyn Write + Send>, output: Box<dyn Read + Send>) -> Self {
        Self {
            child,
            input,
            output: BufReader::new(output),
            callers: BTreeMap::new(),
            next_id: 1,
            next_at_ms: None,
            counts: Counts::default(),
            jobs: BTreeMap::new(),
        }
    }

    fn until_ready(mut self) -> io::Result<Started> {
        let Answer { header, .. } = self.read()?;
        let text = |name: &str| header[name].as_str().unwrap_or_default().to_owned();
        let ready = Ready {
            at_ms: header["atMs"].as_i64().unwrap_or(0),
            cluster: text("cluster"),
            agent_key: text("agentKey"),
            urls: header["urls"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|url| url.as_str().map(str::to_owned))
                .collect(),
        };
        if header["type"] != "ready" {
            return Err(io::Error::other(format!("the metadata service began with {header}")));
        }
        Ok(Started { process: self, ready })
    }

    fn read(&mut self) -> io::Result<Answer> {
        let mut word = [0; 4];
        self.output.read_exact(&mut word)?;
        let mut frame = vec![0; u32::from_be_bytes(word) as usize];
        self.output.read_exact(&mut frame)?;
        let (length, rest) = frame
            .split_first_chunk::<4>()
            .ok_or_else(|| io::Error::other("a frame without a header"))?;
        let (header, body) = rest
            .split_at_checked(u32::from_be_bytes(*length) as usize)
            .ok_or_else(|| io::Error::other("a header beyond its frame"))?;
        Ok(Answer {
            header: serde_json::from_slice(header)?,
            body: Bytes::copy_from_slice(body),
        })
    }

    fn write(&mut self, header: &Value, body: &[u8]) -> io::Result<()> {
        let header = serde_json::to_vec(header)?;
        let header_bytes = u32::try_from(header.len()).map_err(io::Error::other)?;
        let frame_bytes = u32::try_from(4 + header.len() + body.len()).map_err(io::Error::other)?;
        let mut frame = Vec::with_capacity(8 + header.len() + body.len());
        frame.extend_from_slice(&frame_bytes.to_be_bytes());
        frame.extend_from_slice(&header_bytes.to_be_bytes());
        frame.extend_from_slice(&header);
        frame.extend_from_slice(body);
        self.input.write_all(&frame)?;
        self.input.flush()
    }
}

impl Bridge {
    pub(crate) fn new(started: Started, clock: Clock, trace: Trace) -> Self {
        Self {
            process: Arc::new(Mutex::new(started.process)),
            changed: Arc::default(),
            clock,
            trace,
        }
    }

    /// Makes a call. The answer may come much later, or never. `lose` names what gets lost on the way.
    pub(crate) fn call(&self, call: &Call<'_>, lose: Option<&str>) -> (u64, oneshot::Receiver<Answer>) {
        let (answer, answered) = oneshot::channel();
        (self.begin(call, lose, Caller::Unary(answer)), answered)
    }

    /// Opens a stream of events.
    pub(crate) fn open(&self, call: &Call<'_>) -> (u64, mpsc::UnboundedReceiver<Answer>) {
        let (events, received) = mpsc::unbounded_channel();
        self.process.lock().counts.watches += 1;
        (self.begin(call, None, Caller::Stream(events)), received)
    }

    fn begin(&self, call: &Call<'_>, lose: Option<&str>, caller: Caller) -> u64 {
        let id = {
            let mut process = self.process.lock();
            let id = process.next_id;
            process.next_id += 1;
            process.counts.calls += 1;
            process.callers.insert(id, caller);
            id
        };
        let mut header =
            json!({"type": "call", "id": id, "url": call.url, "method": call.method, "headers": call.headers});
        if let Some(lose) = lose {
            header["lose"] = json!(lose);
        }
        self.send(header, call.body);
        id
    }

    /// Says that the caller has gone.
    pub(crate) fn cancel(&self, id: u64) {
        if self.process.lock().callers.remove(&id).is_some() {
            self.send(json!({"type": "cancel", "id": id}), &[]);
        }
    }

    /// Gives up waiting for an answer, without a word to the service.
    pub(crate) fn forget(&self, id: u64) {
        self.process.lock().callers.remove(&id);
    }

    /// Makes the service fail in this way.
    pub(crate) fn fault(&self, name: &str, duration_ms: u64) {
        let header = json!({"type": "fault", "name": name, "durationMs": duration_ms, "offsetMs": duration_ms});
        self.send(header, &[]);
    }

    /// Lets ACLs decide, except about this user. Without ACLs everybody may do everything.
    pub(crate) fn enforce_acls(&self, super_user: &str) {
        self.send(json!({"type": "acls", "superUser": super_user}), &[]);
    }

    /// Everything that the service has stored durably.
    pub(crate) fn facts(&self) -> Value {
        self.send(json!({"type": "facts"}), &[]).unwrap_or_default()
    }

    /// Lets this time pass at once, for everybody. What was due meanwhile happens late.
    pub(crate) async fn leap(&self, time: Duration) {
        let by_ms = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        self.trace.note("world", &format!("leaps by {by_ms} ms"));
        self.send_at(self.clock.now_ms() + by_ms, json!({"type": "leap"}), &[]);
        tokio::time::advance(time).await;
    }

    /// The counts up to now.
    pub(crate) fn counts(&self) -> Counts {
        self.process.lock().counts
    }

    /// Counts work of the agents that has taken effect.
    pub(crate) fn count(&self, kind: &'static str, by: u64) {
        *self.process.lock().jobs.entry(kind).or_default() += by;
    }

    /// Numbers of merges, compactions and deleted files.
    pub(crate) fn jobs(&self) -> BTreeMap<&'static str, u64> {
        self.process.lock().jobs.clone()
    }

    /// Lets the service work whenever it has something to do.
    pub(crate) async fn drive(self) {
        loop {
            let changed = self.changed.notified();
            let next_at_ms = self.process.lock().next_at_ms;
            let due = async {
                match next_at_ms {
                    Some(next_at_ms) => sleep_until(self.clock.at(next_at_ms)).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = changed => {}
                () = due => {
                    self.send(json!({"type": "advance"}), &[]);
                }
            }
        }
    }

    /// Sends a frame and handles everything up to the service's `idle`. Returns the facts, if it was asked for them.
    fn send(&self, header: Value, body: &[u8]) -> Option<Value> {
        self.send_at(self.clock.now_ms(), header, body)
    }

    fn send_at(&self, at_ms: i64, mut header: Value, body: &[u8]) -> Option<Value> {
        header["atMs"] = json!(at_ms);
        let mut facts = None;
        let mut process = self.process.lock();
        let exchanged = process.write(&header, body).and_then(|()| {
            loop {
                let answer = process.read()?;
                self.trace.add(&answer.body);
                let id = answer.header["id"].as_u64().unwrap_or(0);
                process.counts.add(&answer.header);
                match answer.header["type"].as_str() {
                    Some("idle") => {
                        process.next_at_ms = answer.header["nextAtMs"].as_f64().map(|at| at.ceil() as i64);
                        return Ok(());
                    }
                    Some("facts") => facts = Some(answer.header),
                    Some("response") => {
                        if let Some(Caller::Unary(caller)) = process.callers.remove(&id) {
                            // The caller may have given up.
                            let _ = caller.send(answer);
                        }
                    }
                    Some("event") => {
                        if let Some(Caller::Stream(caller)) = process.callers.get(&id) {
                            let _ = caller.send(answer);
                        }
                    }
                    Some("end") => {
                        if let Some(Caller::Stream(caller)) = process.callers.remove(&id) {
                            let _ = caller.send(answer);
                        }
                    }
                    other => return Err(io::Error::other(format!("an unknown frame {other:?}"))),
                }
            }
        });
        drop(process);
        if let Err(error) = exchanged {
            // A panic would only end the agent's task that made the call.
            eprintln!("the metadata service failed: {error}");
            std::process::exit(1);
        }
        self.changed.notify_waiters();
        facts
    }
}
