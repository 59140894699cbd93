//! Where a file goes first, and how soon.

use penstock_metadata_client::cache::{Mode, Topic};

/// The class of a file. Each has an open file of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// To the standard bucket.
    #[default]
    Standard,
    /// To landing buckets, after a shorter time. Costs more.
    Low,
}

pub(super) const CLASSES: [Class; 2] = [Class::Standard, Class::Low];

impl Class {
    /// The class of the batches of a topic that come now.
    pub(super) fn of(topic: &Topic, mode: Mode) -> Self {
        match mode {
            Mode::LowLatency if topic.may_land => Self::Low,
            _ => Self::Standard,
        }
    }
}
