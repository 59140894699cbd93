//! Placeholder head, replaced by the crate's own documentation.
