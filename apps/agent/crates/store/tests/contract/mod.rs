//! The contract of an object store, as far as agents and their jobs rely on it. Every store that agents or tests use
//! passes it: a folder, an S3 server, the store in memory, and the fake of the agents' simulation
//! (e2e/agent-sim/src/store.rs), which compiles this file too.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path;
use object_store::{
    Error, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, Result,
    UpdateVersion,
};

/// S3 takes no smaller part but the last.
const PART_BYTES: usize = 5 << 20;
/// Concurrent writers of one name.
const WRITERS: u8 = 8;

/// Where a store may differ from S3, each with the reason why no agent notices.
#[derive(Debug, Clone, Copy, Default)]
pub struct Differences {
    /// It cannot replace an object on condition of its version. Agents write each object once.
    pub lacks_conditional_replace: bool,
    /// It reports that an object to delete is missing. `Objects::delete` counts that as deleted.
    pub reports_missing_on_delete: bool,
    /// It refuses a suffix of an empty object. Data files are never empty.
    pub refuses_suffix_of_empty: bool,
}

/// Runs all of the contract in an empty folder of the store.
pub async fn check(store: &Arc<dyn ObjectStore>, differences: Differences) {
    let contract = Contract {
        store,
        differences,
        root: Path::from("contract"),
    };
    contract.put_then_get().await;
    contract.overwrite().await;
    contract.put_if_absent().await;
    contract.put_if_absent_at_once().await;
    contract.put_if_match().await;
    contract.ranges().await;
    contract.ranges_outside_the_object().await;
    contract.empty_object().await;
    contract.head().await;
    contract.missing_object().await;
    contract.list().await;
    contract.list_from_offset().await;
    contract.list_with_delimiter().await;
    contract.delete().await;
    contract.multipart().await;
    contract.multipart_without_parts().await;
    contract.multipart_aborted().await;
    contract.special_names().await;
    contract.nothing_is_left().await;
}

struct Contract<'a> {
    store: &'a Arc<dyn ObjectStore>,
    differences: Differences,
    root: Path,
}

fn only_if(mode: PutMode) -> PutOptions {
    PutOptions {
        mode,
        ..Default::default()
    }
}

fn names(mut objects: Vec<ObjectMeta>) -> Vec<String> {
    objects.sort_by(|one, other| one.location.cmp(&other.location));
    objects.iter().map(|object| object.location.to_string()).collect()
}

impl Contract<'_> {
    fn path(&self, name: &str) -> Path {
        Path::from_iter(self.root.parts().chain(Path::from(name).parts()))
    }

    async fn put(&self, path: &Path, content: &'static [u8]) {
        self.store.put(path, PutPayload::from_static(content)).await.unwrap();
    }

    async fn read(&self, path: &Path) -> Bytes {
        self.store.get(path).await.unwrap().bytes().await.unwrap()
    }

    async fn range(&self, path: &Path, range: GetRange) -> Result<Bytes> {
        let options = GetOptions {
            range: Some(range),
            ..Default::default()
        };
        self.store.get_opts(path, options).await?.bytes().await
    }

    async fn listed(&self, prefix: &Path) -> Vec<String> {
        names(self.store.list(Some(prefix)).try_collect().await.unwrap())
    }

    async fn remove(&self, paths: impl IntoIterator<Item = Path>) {
        for path in paths {
            self.store.delete(&path).await.unwrap();
        }
    }

    async fn put_then_get(&self) {
        let path = self.path("whole");
        let pieces = [&b"ab"[..], b"", b"cdef"].map(Bytes::from_static);
        let put = self.store.put(&path, pieces.into_iter().collect()).await.unwrap();
        let got = self.store.get(&path).await.unwrap();
        assert_eq!((got.meta.size, got.range.clone()), (6, 0..6));
        assert_eq!(got.meta.location, path);
        assert_eq!(
            got.meta.e_tag, put.e_tag,
            "a read names the version that the write named"
        );
        assert_eq!(got.bytes().await.unwrap(), "abcdef");
        self.remove([path]).await;
    }

    async fn overwrite(&self) {
        let path = self.path("replaced");
        let first = self.store.put(&path, "first".into()).await.unwrap();
        let second = self.store.put(&path, "2nd".into()).await.unwrap();
        assert_ne!(first.e_tag, second.e_tag);
        assert_eq!(self.read(&path).await, "2nd");
        assert_eq!(self.store.head(&path).await.unwrap().size, 3);
        self.remove([path]).await;
    }

    async fn put_if_absent(&self) {
        let path = self.path("once");
        let create = || only_if(PutMode::Create);
        self.store.put_opts(&path, "mine".into(), create()).await.unwrap();
        let refused = self.store.put_opts(&path, "theirs".into(), create()).await;
        assert!(matches!(refused, Err(Error::AlreadyExists { .. })), "{refused:?}");
        assert_eq!(self.read(&path).await, "mine");
        // A deleted name is free again.
        self.remove([path.clone()]).await;
        self.store.put_opts(&path, "again".into(), create()).await.unwrap();
        self.remove([path]).await;
    }

    async fn put_if_absent_at_once(&self) {
        let path = self.path("contested");
        let attempts = (0..WRITERS).map(|writer| {
            let content = PutPayload::from(vec![writer; 100]);
            self.store.put_opts(&path, content, only_if(PutMode::Create))
        });
        let outcomes = futures_util::future::join_all(attempts).await;
        let winners: Vec<_> = (0..WRITERS)
            .filter(|writer| outcomes[usize::from(*writer)].is_ok())
            .collect();
        assert_eq!(winners.len(), 1, "{outcomes:?}");
        assert_eq!(self.read(&path).await, vec![winners[0]; 100]);
        self.remove([path]).await;
    }

    async fn put_if_match(&self) {
        let path = self.path("versions");
        let put = self.store.put(&path, "1".into()).await.unwrap();
        let version = || {
            only_if(PutMode::Update(UpdateVersion {
                e_tag: put.e_tag.clone(),
                version: put.version.clone(),
            }))
        };
        let replaced = self.store.put_opts(&path, "2".into(), version()).await;
        if self.differences.lacks_conditional_replace {
            assert!(matches!(replaced, Err(Error::NotImplemented { .. })), "{replaced:?}");
            assert_eq!(self.read(&path).await, "1");
        } else {
            replaced.unwrap();
            let late = self.store.put_opts(&path, "3".into(), version()).await;
            assert!(matches!(late, Err(Error::Precondition { .. })), "{late:?}");
            assert_eq!(self.read(&path).await, "2");
        }
        self.remove([path]).await;
    }

    async fn ranges(&self) {
        let path = self.path("ranges");
        self.put(&path, b"0123456789").await;
        let options = GetOptions {
            range: Some(GetRange::Bounded(2..5)),
            ..Default::default()
        };
        let got = self.store.get_opts(&path, options).await.unwrap();
        assert_eq!(
            (got.range.clone(), got.meta.size),
            (2..5, 10),
            "the size is the object's"
        );
        assert_eq!(got.bytes().await.unwrap(), "234");
        for (range, content) in [
            (GetRange::Bounded(0..10), "0123456789"),
            (GetRange::Bounded(9..10), "9"),
            (GetRange::Bounded(8..99), "89"),
            (GetRange::Offset(0), "0123456789"),
            (GetRange::Offset(9), "9"),
            (GetRange::Suffix(3), "789"),
            (GetRange::Suffix(10), "0123456789"),
            (GetRange::Suffix(99), "0123456789"),
        ] {
            assert_eq!(self.range(&path, range.clone()).await.unwrap(), content, "{range}");
        }
        let several = self.store.get_ranges(&path, &[7..9, 0..1, 1..3]).await.unwrap();
        assert_eq!(several, ["78", "0", "12"]);
        self.remove([path]).await;
    }

    async fn ranges_outside_the_object(&self) {
        let path = self.path("short");
        self.put(&path, b"0123").await;
        for range in [
            GetRange::Bounded(4..5),
            GetRange::Bounded(40..50),
            GetRange::Bounded(2..2),
            GetRange::Offset(4),
            GetRange::Offset(99),
        ] {
            let refused = self.range(&path, range.clone()).await;
            assert!(refused.is_err(), "{range:?}: {refused:?}");
            assert!(
                !matches!(refused, Err(Error::NotFound { .. })),
                "{range:?}: {refused:?}"
            );
        }
        self.remove([path]).await;
    }

    async fn empty_object(&self) {
        let path = self.path("empty");
        self.put(&path, b"").await;
        assert_eq!(self.store.head(&path).await.unwrap().size, 0);
        assert_eq!(self.read(&path).await, "");
        let suffix = self.range(&path, GetRange::Suffix(1)).await;
        match self.differences.refuses_suffix_of_empty {
            true => assert!(suffix.is_err(), "{suffix:?}"),
            false => assert_eq!(suffix.unwrap(), ""),
        }
        assert!(self.range(&path, GetRange::Bounded(0..1)).await.is_err());
        assert_eq!(self.listed(&self.root).await, [path.to_string()]);
        self.remove([path]).await;
    }

    async fn head(&self) {
        let path = self.path("measured");
        let put = self.store.put(&path, "12345".into()).await.unwrap();
        let head = self.store.head(&path).await.unwrap();
        assert_eq!((head.location, head.size, head.e_tag), (path.clone(), 5, put.e_tag));
        self.remove([path]).await;
    }

    async fn missing_object(&self) {
        let path = self.path("missing");
        let not_found = |outcome: Result<()>| assert!(matches!(outcome, Err(Error::NotFound { .. })), "{outcome:?}");
        not_found(self.store.get(&path).await.map(drop));
        not_found(self.store.head(&path).await.map(drop));
        not_found(self.range(&path, GetRange::Bounded(0..1)).await.map(drop));
        not_found(self.range(&path, GetRange::Suffix(1)).await.map(drop));
    }

    async fn list(&self) {
        let paths = ["list/a", "list/a2/b", "list/b/c/d", "listing/a"].map(|name| self.path(name));
        for path in &paths {
            self.put(path, b"abc").await;
        }
        let below = |name: &'static str| async move { self.listed(&self.path(name)).await };
        let expected = |range: std::ops::Range<usize>| names_of(&paths[range]);
        assert_eq!(below("list").await, expected(0..3), "a prefix is a whole segment");
        assert_eq!(below("list/b").await, expected(2..3));
        assert_eq!(below("lis").await, expected(0..0));
        assert_eq!(below("list/a").await, expected(0..0), "an object is not below itself");
        assert_eq!(below("absent").await, expected(0..0));
        assert_eq!(self.listed(&self.root).await, expected(0..4));
        let all: Vec<_> = self.store.list(Some(&self.root)).try_collect().await.unwrap();
        assert!(all.iter().all(|object| object.size == 3));
        self.remove(paths).await;
    }

    async fn list_from_offset(&self) {
        let paths = ["from/a", "from/b", "from/c"].map(|name| self.path(name));
        for path in &paths {
            self.put(path, b"abc").await;
        }
        let prefix = self.path("from");
        let after = |name: &'static str| {
            let offset = self.path(name);
            let found = self.store.list_with_offset(Some(&prefix), &offset);
            async move { names(found.try_collect().await.unwrap()) }
        };
        assert_eq!(
            after("from/a").await,
            names_of(&paths[1..]),
            "without the offset itself"
        );
        assert_eq!(after("from/aa").await, names_of(&paths[1..]), "of an object or not");
        assert_eq!(after("from/c").await, names_of(&[]));
        self.remove(paths).await;
    }

    async fn list_with_delimiter(&self) {
        let paths = ["tree/a", "tree/b/c", "tree/b/d/e", "tree/f/g"].map(|name| self.path(name));
        for path in &paths {
            self.put(path, b"abc").await;
        }
        let level = |name: &'static str| async move {
            let prefix = self.path(name);
            let mut found = self.store.list_with_delimiter(Some(&prefix)).await.unwrap();
            found.common_prefixes.sort();
            (names(found.objects), names_of(&found.common_prefixes))
        };
        let folders = ["tree/b", "tree/f"].map(|name| self.path(name));
        assert_eq!(level("tree").await, (names_of(&paths[..1]), names_of(&folders)));
        assert_eq!(
            level("tree/b").await,
            (names_of(&paths[1..2]), names_of(&[self.path("tree/b/d")]))
        );
        self.remove(paths).await;
    }

    async fn delete(&self) {
        let paths = ["gone/a", "gone/b", "gone/c"].map(|name| self.path(name));
        for path in &paths[1..] {
            self.put(path, b"abc").await;
        }
        let missing = self.store.delete(&paths[0]).await;
        match self.differences.reports_missing_on_delete {
            true => assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}"),
            false => missing.unwrap(),
        }
        let all = stream::iter(paths.clone().map(Ok)).boxed();
        let outcomes: Vec<_> = self.store.delete_stream(all).collect().await;
        let deleted: Vec<_> = outcomes.into_iter().filter_map(Result::ok).collect();
        let reported = usize::from(self.differences.reports_missing_on_delete);
        assert_eq!(names_of(&deleted), names_of(&paths[reported..]));
        assert_eq!(self.listed(&self.path("gone")).await, names_of(&[]));
    }

    async fn multipart(&self) {
        let path = self.path("parts");
        self.put(&path, b"before").await;
        let mut upload = self.store.put_multipart(&path).await.unwrap();
        let parts = [vec![1; PART_BYTES], vec![2; PART_BYTES], vec![3; 10]];
        let sent: Vec<_> = parts.iter().map(|part| upload.put_part(part.clone().into())).collect();
        // Parts keep the order in which they were made, whatever the order of their arrival.
        for part in sent.into_iter().rev() {
            part.await.unwrap();
        }
        assert_eq!(self.read(&path).await, "before", "nothing shows before the end");
        upload.complete().await.unwrap();
        assert!(self.read(&path).await == parts.concat());
        self.remove([path]).await;
    }

    async fn multipart_without_parts(&self) {
        let path = self.path("no-parts");
        let mut upload = self.store.put_multipart(&path).await.unwrap();
        upload.complete().await.unwrap();
        assert_eq!(self.store.head(&path).await.unwrap().size, 0);
        self.remove([path]).await;
    }

    async fn multipart_aborted(&self) {
        let path = self.path("aborted");
        let mut upload = self.store.put_multipart(&path).await.unwrap();
        upload.put_part(vec![1; PART_BYTES].into()).await.unwrap();
        upload.abort().await.unwrap();
        let missing = self.store.head(&path).await;
        assert!(matches!(missing, Err(Error::NotFound { .. })), "{missing:?}");
        assert_eq!(self.listed(&self.root).await, names_of(&[]));
    }

    async fn special_names(&self) {
        for name in [
            "with space",
            "plus+and&equals=",
            "percent%2Fencoded",
            "quotes'\"",
            "ümläut-日本",
            "semi;colon:at@",
            "dots..and.~tilde",
            "part#x",
            "part#7",
        ] {
            let path = self.path(&format!("special/{name}"));
            self.put(&path, b"x").await;
            assert_eq!(self.read(&path).await, "x", "{name}");
            assert_eq!(self.listed(&self.path("special")).await, [path.to_string()], "{name}");
            self.remove([path]).await;
        }
    }

    async fn nothing_is_left(&self) {
        assert_eq!(self.listed(&self.root).await, names_of(&[]));
    }
}

fn names_of(paths: &[Path]) -> Vec<String> {
    paths.iter().map(Path::to_string).collect()
}
