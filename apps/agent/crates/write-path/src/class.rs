//! The destination of a file, and how soon it is written.

use std::ops::{Index, IndexMut};

use penstock_metadata_client::cache::{Mode, Topic};

/// The class of a file. Each class has its own open file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Class {
    /// Written to the standard bucket.
    #[default]
    Standard,
    /// Written to landing buckets after a shorter time, at a higher cost.
    Low,
}

pub(super) const CLASSES: [Class; 2] = [Class::Standard, Class::Low];

impl Class {
    /// The class of a topic's new batches.
    pub(super) fn of(topic: &Topic, mode: Mode) -> Self {
        match mode {
            Mode::LowLatency if topic.may_land => Self::Low,
            _ => Self::Standard,
        }
    }
}

/// One value for each class.
#[derive(Debug, Default)]
pub(super) struct ByClass<T> {
    standard: T,
    low: T,
}

impl<T> ByClass<T> {
    /// Creates a value for each class with `make`.
    pub(super) fn new(mut make: impl FnMut(Class) -> T) -> Self {
        Self {
            standard: make(Class::Standard),
            low: make(Class::Low),
        }
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &T> {
        [&self.standard, &self.low].into_iter()
    }
}

impl<T> Index<Class> for ByClass<T> {
    type Output = T;

    fn index(&self, class: Class) -> &T {
        match class {
            Class::Standard => &self.standard,
            Class::Low => &self.low,
        }
    }
}

impl<T> IndexMut<Class> for ByClass<T> {
    fn index_mut(&mut self, class: Class) -> &mut T {
        match class {
            Class::Standard => &mut self.standard,
            Class::Low => &mut self.low,
        }
    }
}
