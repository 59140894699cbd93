//! What the agent keeps of the heap from one execution to the next: nothing, once its tables are filled. The process grows nevertheless,
//! because libFuzzer keeps each new input with the coverage that it reached. That is C++, which this allocator does not serve.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering};

/// First executions, in which tables are filled. The most that one of them leaves behind is what later ones are compared with.
const WARM_UP_EXECUTIONS: u64 = 1_000;
/// Tables may grow a little more, and another thread may be about to free something.
const ALLOWED_GROWTH_BYTES: isize = 64 << 10;
const REPORT_INTERVAL_EXECUTIONS: u64 = 10_000;

static HELD_BYTES: AtomicIsize = AtomicIsize::new(0);

/// The system's allocator. Counts what all threads of Rust hold.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator, which fulfils the contract; counting allocates nothing itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD_BYTES.fetch_add(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD_BYTES.fetch_sub(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Compares what is held of the heap after each execution of a target.
#[derive(Default)]
pub struct HeapWatch {
    executions: AtomicU64,
    warm_bytes: AtomicIsize,
}

impl HeapWatch {
    /// Of a target that has not run.
    pub const fn new() -> Self {
        Self {
            executions: AtomicU64::new(0),
            warm_bytes: AtomicIsize::new(0),
        }
    }

    /// Runs the target once. Its input must be freed by then. Prints what is held every 10,000 executions.
    ///
    /// # Panics
    /// Executions leave something behind.
    pub fn run(&self, target: impl FnOnce()) {
        target();
        let held = HELD_BYTES.load(Ordering::Relaxed);
        let executions = self.executions.fetch_add(1, Ordering::Relaxed) + 1;
        if executions <= WARM_UP_EXECUTIONS {
            self.warm_bytes.fetch_max(held, Ordering::Relaxed);
            return;
        }
        let warm = self.warm_bytes.load(Ordering::Relaxed);
        assert!(
            held <= warm + ALLOWED_GROWTH_BYTES,
            "{held} bytes are held after {executions} executions, and at most {warm} after the first {WARM_UP_EXECUTIONS}"
        );
        if executions.is_multiple_of(REPORT_INTERVAL_EXECUTIONS) {
            eprintln!("heap: {executions} executions, {held} bytes held, {warm} after warm-up");
        }
    }
}
