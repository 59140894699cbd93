//! A map bounded by the weight of its values, which lets go of what was not used lately (the CLOCK algorithm: one bit per
//! entry instead of the lists of an LRU).

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Entries with a weight, at most `capacity` in all.
#[derive(Debug)]
pub struct ClockMap<K, V> {
    entries: HashMap<K, Entry<V>>,
    hand: VecDeque<K>,
    weight: usize,
    capacity: usize,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    weight: usize,
    used: bool,
}

impl<K: Hash + Eq + Clone, V> ClockMap<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: HashMap::new(),
            hand: VecDeque::new(),
            weight: 0,
            capacity,
        }
    }

    /// The value of a key, which thereby counts as used.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.entries.get_mut(key).map(|entry| {
            entry.used = true;
            &entry.value
        })
    }

    /// Keeps a value, unless it alone exceeds the capacity or the key is there already.
    pub fn insert(&mut self, key: K, value: V, weight: usize) {
        if weight > self.capacity || self.entries.contains_key(&key) {
            return;
        }
        while self.weight + weight > self.capacity {
            let Some(oldest) = self.hand.pop_front() else { break };
            match self.entries.get_mut(&oldest) {
                Some(entry) if entry.used => {
                    entry.used = false;
                    self.hand.push_back(oldest);
                }
                Some(_) => {
                    if let Some(evicted) = self.entries.remove(&oldest) {
                        self.weight -= evicted.weight;
                    }
                }
                None => {}
            }
        }
        self.weight += weight;
        self.hand.push_back(key.clone());
        // What is new is about to be used, e.g. what was read ahead: it must not be the first to go because all others were used.
        let used = true;
        self.entries.insert(key, Entry { value, weight, used });
    }

    /// Of all values together.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weight_never_exceeds_the_capacity() {
        let mut map = ClockMap::new(10);
        for key in 0..100 {
            map.insert(key, key, 3);
            assert!(map.weight() <= 10);
        }
        map.insert(1000, 0, 11);
        assert!(map.get(&1000).is_none());
    }

    #[test]
    fn what_is_new_outlives_what_was_used_before_it_came() {
        let mut map = ClockMap::new(4);
        for key in 0..4 {
            map.insert(key, (), 1);
            assert!(map.get(&key).is_some());
        }
        map.insert(4, (), 1);
        map.insert(5, (), 1);
        assert!(map.get(&4).is_some() && map.get(&5).is_some());
    }

    #[test]
    fn what_was_used_since_the_last_round_outlives_what_was_not() {
        let mut map = ClockMap::new(4);
        for key in 0..5 {
            map.insert(key, (), 1);
        }
        assert!(map.get(&1).is_some());
        map.insert(5, (), 1);
        assert!(map.get(&1).is_some());
        assert!(map.get(&2).is_none());
    }
}
