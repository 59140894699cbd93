//! Faults of the metadata service that the bridge can stage.

/// The names of the bridge's faults, and their longest durations in milliseconds.
pub(crate) const FAULTS: [(&str, u64); 12] = [
    ("restart-owner", 8_000),
    ("shut-down-owner", 3_000),
    ("pause-owner", 15_000),
    ("suspend-owner", 15_000),
    ("unreachable-owner", 12_000),
    ("database-outage", 10_000),
    ("database-slow", 10_000),
    ("database-errors", 8_000),
    ("append-lost", 8_000),
    ("append-answer-lost", 8_000),
    ("append-late", 8_000),
    // How far its clock is ahead, from then on.
    ("owner-clock", 40_000),
];
