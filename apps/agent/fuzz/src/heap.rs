//! Checks that the agent's heap does not grow between executions, once its tables are filled. The process still grows,
//! because libFuzzer keeps each input that reached new coverage. That memory is C++'s, which this allocator does not
//! serve.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering};

/// First executions, in which tables are filled. The most that is held after one of them is the baseline for later
/// ones.
const WARM_UP_EXECUTIONS: u64 = 1_000;
/// Tables may grow slightly, and another thread may be about to free memory.
const ALLOWED_GROWTH_BYTES: isize = 64 << 10;
const REPORT_INTERVAL_EXECUTIONS: u64 = 10_000;

static HELD_BYTES: AtomicIsize = AtomicIsize::new(0);
static PEAK_BYTES: AtomicIsize = AtomicIsize::new(0);

/// The system allocator, with a count of the bytes held by all Rust threads.
struct Counting;

// SAFETY: every call is forwarded unchanged to the system allocator, which fulfils the contract. Counting allocates
// nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size().cast_signed();
        let held = HELD_BYTES.fetch_add(size, Ordering::Relaxed) + size;
        PEAK_BYTES.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD_BYTES.fetch_sub(layout.size().cast_signed(), Ordering::Relaxed);
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs `work`. Returns the most that all threads held meanwhile, beyond what they held before.
pub fn peak_of<Output>(work: impl FnOnce() -> Output) -> (usize, Output) {
    let before = HELD_BYTES.load(Ordering::Relaxed);
    PEAK_BYTES.store(before, Ordering::Relaxed);
    let output = work();
    let peak = PEAK_BYTES.load(Ordering::Relaxed) - before;
    (usize::try_from(peak).unwrap_or(0), output)
}

/// Compares the heap usage after each execution of a target.
#[derive(Default)]
pub struct HeapWatch {
    executions: AtomicU64,
    warm_bytes: AtomicIsize,
}

impl HeapWatch {
    /// Creates a watch for a target that has not run.
    pub const fn new() -> Self {
        Self {
            executions: AtomicU64::new(0),
            warm_bytes: AtomicIsize::new(0),
        }
    }

    /// Runs the target once, which must free its input. Prints the usage every 10,000 executions.
    ///
    /// # Panics
    /// Panics if executions leak memory.
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
