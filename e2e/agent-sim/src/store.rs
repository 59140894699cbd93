//! An object store in memory that fails in the ways of object storage.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::stream::{self, BoxStream};
use futures_util::{FutureExt as _, StreamExt as _};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMode, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result, UploadPart,
};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::busy::Busy;
use crate::clock::Clock;
use crate::trace::Trace;
use crate::weather::{StoreMode, Weather};

const HANG: Duration = Duration::from_secs(40);

/// The bucket. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Store {
    objects: Arc<Mutex<BTreeMap<Path, Object>>>,
    clock: Clock,
    weather: Weather,
    trace: Trace,
    busy: Busy,
    /// The agent whose requests these are.
    client: usize,
    last_put: Arc<LastPut>,
    /// Writes that will hang, whatever the weather.
    hanging_writes: Arc<AtomicU32>,
}

#[derive(Debug, Default)]
struct LastPut {
    client: Mutex<usize>,
    happened: Notify,
}

#[derive(Debug, Clone)]
struct Object {
    bytes: Bytes,
    written_ms: i64,
    version: u64,
}

impl fmt::Debug for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Store").finish_non_exhaustive()
    }
}

impl fmt::Display for Store {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("simulated store")
    }
}

/// The effect of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Done,
    /// It fails before it does anything.
    Lost,
    /// It takes effect, and the answer never arrives or says that it failed.
    AnswerLost,
    /// Like `AnswerLost`, and the client library sends it again.
    SentAgain,
}

fn broken(what: &'static str) -> Error {
    Error::Generic {
        store: "simulated store",
        source: what.into(),
    }
}

impl Store {
    pub(crate) fn new(clock: Clock, weather: &Weather, trace: Trace, busy: &Busy) -> Self {
        Self {
            objects: Arc::default(),
            clock,
            weather: weather.stream("store"),
            trace,
            busy: busy.clone(),
            client: 0,
            last_put: Arc::default(),
            hanging_writes: Arc::default(),
        }
    }

    /// The bucket as this agent uses it.
    pub(crate) fn used_by(&self, client: usize) -> Self {
        Self { client, ..self.clone() }
    }

    /// Waits for the next object. Returns the agent that wrote it and does not know that yet.
    pub(crate) async fn next_writer(&self) -> usize {
        self.last_put.happened.notified().await;
        *self.last_put.client.lock()
    }

    /// Lets the next write hang and fail.
    pub(crate) fn hang_next_write(&self) {
        self.hanging_writes.fetch_add(1, Ordering::Relaxed);
    }

    /// The names of all objects.
    pub(crate) fn names(&self) -> Vec<String> {
        self.objects.lock().keys().map(Path::to_string).collect()
    }

    /// As many bytes of another object, repeated if it is shorter. `nth` chooses the object.
    pub(crate) fn other_bytes(&self, bytes: &Bytes, nth: usize) -> Bytes {
        let objects = self.objects.lock();
        let others: Vec<&Bytes> = objects
            .values()
            .map(|object| &object.bytes)
            .filter(|other| *other != bytes && !other.is_empty())
            .collect();
        match others.get(nth % others.len().max(1)) {
            Some(other) => other.iter().copied().cycle().take(bytes.len()).collect(),
            None => Bytes::from(vec![0; bytes.len()]),
        }
    }

    /// Waits as long as a request takes, and decides what becomes of it.
    async fn travel(&self, is_write: bool) -> Result<Fate> {
        let _on_its_way = self.busy.begin();
        sleep(self.weather.millis(5, 40)).await;
        if is_write && self.hanging_writes.load(Ordering::Relaxed) > 0 {
            self.hanging_writes.fetch_sub(1, Ordering::Relaxed);
            sleep(HANG).await;
            return Ok(Fate::Lost);
        }
        let mode = self.weather.store_mode();
        let what = || format!("a {} meets {mode:?}", if is_write { "write" } else { "read" });
        let odds = match mode {
            StoreMode::Fine => 80,
            StoreMode::Slow => {
                sleep(self.weather.millis(200, 6_000)).await;
                80
            }
            StoreMode::ReadOnly if is_write => return Err(broken("403 Forbidden")),
            StoreMode::ReadOnly => 80,
            StoreMode::Hangs | StoreMode::Fails | StoreMode::Throttles => 2,
        };
        let Some(fault) = self.weather.fault(odds, what) else {
            return Ok(Fate::Done);
        };
        match mode {
            StoreMode::Throttles => return Err(broken("503 Slow Down")),
            StoreMode::Hangs => sleep(HANG).await,
            StoreMode::Fine | StoreMode::Slow | StoreMode::Fails | StoreMode::ReadOnly => {}
        }
        Ok(match fault.below(4) {
            0 => Fate::AnswerLost,
            1 => Fate::SentAgain,
            _ => Fate::Lost,
        })
    }

    fn put(&self, location: &Path, bytes: Bytes, mode: &PutMode) -> Result<PutResult> {
        let mut objects = self.objects.lock();
        let known = objects.get(location).map(|object| object.version);
        match mode {
            PutMode::Create if known.is_some() => {
                return Err(Error::AlreadyExists {
                    path: location.to_string(),
                    source: "412 Precondition Failed".into(),
                });
            }
            PutMode::Update(expected) if known.map(e_tag) != expected.e_tag => {
                return Err(Error::Precondition {
                    path: location.to_string(),
                    source: "412 Precondition Failed".into(),
                });
            }
            PutMode::Create | PutMode::Overwrite | PutMode::Update(_) => {}
        }
        let version = known.unwrap_or(0) + 1;
        self.trace
            .note("store", &format!("PUT {location} {} bytes", bytes.len()));
        self.trace.add(&bytes);
        let object = Object {
            bytes,
            written_ms: self.clock.now_ms(),
            version,
        };
        objects.insert(location.clone(), object);
        *self.last_put.client.lock() = self.client;
        self.last_put.happened.notify_waiters();
        Ok(PutResult {
            e_tag: Some(e_tag(version)),
            version: None,
            extensions: Default::default(),
        })
    }

    fn meta(location: &Path, object: &Object) -> ObjectMeta {
        let written = Duration::from_millis(u64::try_from(object.written_ms).unwrap_or(0));
        ObjectMeta {
            location: location.clone(),
            last_modified: (UNIX_EPOCH + written).into(),
            size: object.bytes.len() as u64,
            e_tag: Some(e_tag(object.version)),
            version: None,
        }
    }

    async fn delete_one(&self, location: Path) -> Result<Path> {
        match self.travel(true).await? {
            Fate::Lost => return Err(broken("connection reset")),
            fate => {
                self.objects.lock().remove(&location);
                self.trace.note("store", &format!("DELETE {location}"));
                if fate != Fate::Done {
                    return Err(broken("connection reset"));
                }
            }
        }
        Ok(location)
    }

    fn listed(&self, prefix: Option<&Path>) -> Vec<ObjectMeta> {
        let objects = self.objects.lock();
        objects
            .iter()
            .filter(|(path, _)| prefix.is_none_or(|prefix| *path != prefix && path.prefix_matches(prefix)))
            .map(|(path, object)| Self::meta(path, object))
            .collect()
    }
}

fn e_tag(version: u64) -> String {
    format!("\"{version}\"")
}

/// The bytes of an object that a request names, which S3 refuses if there are none.
fn range_of(range: Option<GetRange>, size: u64) -> Result<Range<u64>> {
    match range {
        None => Ok(0..size),
        Some(GetRange::Suffix(_)) if size == 0 => Err(broken("416 Range Not Satisfiable")),
        Some(range) => range.as_range(size).map_err(|_| broken("416 Range Not Satisfiable")),
    }
}

#[async_trait]
impl ObjectStore for Store {
    async fn put_opts(&self, location: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        let fate = self.travel(true).await?;
        if fate == Fate::Lost {
            return Err(broken("connection reset"));
        }
        let put = self.put(location, payload.into(), &options.mode)?;
        match fate {
            Fate::AnswerLost => Err(broken("connection reset")),
            // It may meet its own object.
            Fate::SentAgain => self.put(location, Bytes::new(), &PutMode::Create),
            _ => Ok(put),
        }
    }

    async fn put_multipart_opts(&self, location: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        if self.travel(true).await? != Fate::Done {
            return Err(broken("connection reset"));
        }
        Ok(Box::new(Upload {
            store: self.clone(),
            location: location.clone(),
            parts: Arc::default(),
            next: 0,
        }))
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        if self.travel(false).await? != Fate::Done {
            return Err(broken("connection reset"));
        }
        let object = self.objects.lock().get(location).cloned();
        let object = object.ok_or_else(|| Error::NotFound {
            path: location.to_string(),
            source: "404 Not Found".into(),
        })?;
        let meta = Self::meta(location, &object);
        let range = range_of(options.range, meta.size)?;
        let part = object.bytes.slice(range.start as usize..range.end as usize);
        let is_cut = self
            .weather
            .fault(60, || format!("the body of {location} is cut"))
            .is_some();
        let chunks = match part.len() > 1 && is_cut {
            true => vec![Ok(part.slice(..part.len() / 2)), Err(broken("the body was cut"))],
            false => vec![Ok(part)],
        };
        Ok(GetResult {
            payload: GetResultPayload::Stream(stream::iter(chunks).boxed()),
            meta,
            range,
            attributes: Default::default(),
            extensions: Default::default(),
        })
    }

    fn delete_stream(&self, locations: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let store = self.clone();
        locations
            .then(move |location| {
                let store = store.clone();
                async move { store.delete_one(location?).await }
            })
            .boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let (store, prefix) = (self.clone(), prefix.cloned());
        async move {
            match store.travel(false).await {
                Ok(Fate::Done) => store.listed(prefix.as_ref()).into_iter().map(Ok).collect(),
                Ok(_) => vec![Err(broken("connection reset"))],
                Err(error) => vec![Err(error)],
            }
        }
        .map(stream::iter)
        .flatten_stream()
        .boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        if self.travel(false).await? != Fate::Done {
            return Err(broken("connection reset"));
        }
        let root = prefix.cloned().unwrap_or_default();
        let mut folders = BTreeSet::new();
        let mut objects = Vec::new();
        for object in self.listed(prefix) {
            let mut below = object.location.prefix_match(&root).into_iter().flatten();
            let folder = below.next().map(|name| root.clone().join(name));
            let is_deeper = below.next().is_some();
            drop(below);
            match folder {
                Some(folder) if is_deeper => {
                    folders.insert(folder);
                }
                _ => objects.push(object),
            }
        }
        Ok(ListResult {
            objects,
            common_prefixes: folders.into_iter().collect(),
            extensions: Default::default(),
        })
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        Err(broken("the agent copies no objects"))
    }
}

#[derive(Debug)]
struct Upload {
    store: Store,
    location: Path,
    parts: Arc<Mutex<BTreeMap<usize, Bytes>>>,
    next: usize,
}

#[async_trait]
impl MultipartUpload for Upload {
    fn put_part(&mut self, data: PutPayload) -> UploadPart {
        let (store, parts, number) = (self.store.clone(), Arc::clone(&self.parts), self.next);
        self.next += 1;
        async move {
            if store.travel(true).await? != Fate::Done {
                return Err(broken("connection reset"));
            }
            parts.lock().insert(number, data.into());
            Ok(())
        }
        .boxed()
    }

    async fn complete(&mut self) -> Result<PutResult> {
        let fate = self.store.travel(true).await?;
        if fate == Fate::Lost {
            return Err(broken("connection reset"));
        }
        let whole: Vec<u8> = self.parts.lock().values().flat_map(|part| part.to_vec()).collect();
        let put = self.store.put(&self.location, whole.into(), &PutMode::Overwrite)?;
        match fate {
            Fate::AnswerLost | Fate::SentAgain => Err(broken("connection reset")),
            _ => Ok(put),
        }
    }

    async fn abort(&mut self) -> Result<()> {
        self.parts.lock().clear();
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../../apps/agent/crates/store/tests/contract/mod.rs"]
#[allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
mod contract;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_calm_store_keeps_the_contract_of_stores() {
        let clock = Clock::starting_at(0);
        let weather = Weather::new(1, []);
        weather.clear();
        let store: Arc<dyn ObjectStore> =
            Arc::new(Store::new(clock, &weather, Trace::new(clock, false), &Busy::default()));
        let differences = contract::Differences {
            refuses_suffix_of_empty: true,
            ..Default::default()
        };
        contract::check(&store, differences).await;
    }
}
