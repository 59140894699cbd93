//! Rendezvous hashing: every agent of a zone picks the same owner for a stretch without communication. Stretches spread
//! evenly, and only those of an agent that joins or leaves move.

use uuid::Uuid;

/// Returns the owner of a file's stretch among these agents, or `None` if there are none.
pub(crate) fn owner(file_id: Uuid, stretch: u64, node_ids: impl Iterator<Item = i32>) -> Option<i32> {
    node_ids.max_by_key(|node_id| (weight(file_id, stretch, *node_id), *node_id))
}

/// Must never change: otherwise agents of two versions would disagree, and the zone would fetch twice.
fn weight(file_id: Uuid, stretch: u64, node_id: i32) -> u64 {
    let (high, low) = file_id.as_u64_pair();
    let node = u64::from(node_id.cast_unsigned());
    [low, stretch, node]
        .into_iter()
        .fold(mixed(high), |hash, part| mixed(hash ^ part))
}

/// The finalizer of `SplitMix64` (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
fn mixed(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_agents_does_not_matter() {
        for stretch in 0..100 {
            let file_id = Uuid::now_v7();
            let forward = owner(file_id, stretch, [1, 2, 3].into_iter());
            assert_eq!(forward, owner(file_id, stretch, [3, 1, 2].into_iter()));
        }
        assert_eq!(owner(Uuid::nil(), 0, std::iter::empty()), None);
    }

    #[test]
    fn stretches_spread_evenly_and_move_only_from_a_lost_agent() {
        let mut owned = [0_u32; 4];
        for number in 0..4000_u32 {
            let file_id = Uuid::from_u128(u128::from(number / 4) << 80);
            let stretch = u64::from(number % 4);
            let with_all = owner(file_id, stretch, 0..4).unwrap();
            owned[usize::try_from(with_all).unwrap()] += 1;
            assert!(with_all == 3 || owner(file_id, stretch, 0..3) == Some(with_all));
        }
        assert!(owned.iter().all(|count| (800..1200).contains(count)), "{owned:?}");
    }

    #[test]
    fn weights_are_the_same_in_every_version() {
        let file_id = Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001);
        let owners: Vec<_> = (0..12).map(|stretch| owner(file_id, stretch, 1..=5)).collect();
        assert_eq!(owners, OWNERS.map(Some));
    }

    const OWNERS: [i32; 12] = [3, 2, 5, 3, 4, 2, 2, 1, 1, 2, 3, 1];
}
