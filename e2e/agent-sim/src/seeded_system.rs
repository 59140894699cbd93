//! Replaces the system's randomness for the whole process, so that hash maps and keys depend on the seed only.

use std::sync::atomic::{AtomicU64, Ordering};

static STATE: AtomicU64 = AtomicU64::new(0);

/// Seeds everything that is drawn from now on.
pub(crate) fn set_seed(seed: u64) {
    STATE.store(seed, Ordering::SeqCst);
}

/// The system call of this name, as the standard library and `ring` call it.
///
/// # Safety
/// `buffer` must be valid for writes of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, len: usize, _flags: u32) -> isize {
    // SAFETY: the caller passes a buffer of this length.
    let bytes = unsafe { std::slice::from_raw_parts_mut(buffer, len) };
    for chunk in bytes.chunks_mut(8) {
        // SplitMix64.
        let state = STATE
            .fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
    }
    isize::try_from(len).unwrap_or(isize::MAX)
}
