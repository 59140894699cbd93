//! Changes to bytes that were valid.

use arbitrary::Arbitrary;

/// Damage to bytes in transit. Places are taken modulo the length, so that each change hits.
#[derive(Arbitrary, Debug, Default)]
pub struct Damage<'a> {
    overwritten: Vec<(u16, u8)>,
    inserted: Option<(u16, &'a [u8])>,
    removed: Option<(u16, u8)>,
}

impl Damage<'_> {
    /// Returns true if nothing changes.
    pub fn is_none(&self) -> bool {
        self.overwritten.is_empty() && self.inserted.is_none() && self.removed.is_none()
    }

    /// Makes the changes in order.
    pub fn apply(&self, bytes: &mut Vec<u8>) {
        for (place, value) in &self.overwritten {
            let len = bytes.len().max(1);
            if let Some(byte) = bytes.get_mut(usize::from(*place) % len) {
                *byte = *value;
            }
        }
        if let Some((place, inserted)) = self.inserted {
            let place = usize::from(place) % (bytes.len() + 1);
            bytes.splice(place..place, inserted.iter().copied());
        }
        if let Some((place, count)) = self.removed {
            let start = usize::from(place) % (bytes.len() + 1);
            let end = (start + usize::from(count)).min(bytes.len());
            bytes.drain(start..end);
        }
    }
}
