//! A map with a limit on the total weight of its values. Evicts entries that were not used recently, with the CLOCK
//! algorithm: one bit per entry instead of the lists of an LRU.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A map of weighted entries with a total weight of at most `capacity`.
#[derive(Debug)]
pub struct ClockMap<K, V> {
    entries: HashMap<K, Entry<V>>,
    /// Keys with their entry numbers, because a key may have been removed and inserted again.
    hand: VecDeque<(K, u64)>,
    /// Spent entries, which are evicted first.
    spent: VecDeque<(K, u64)>,
    weight: usize,
    capacity: usize,
    next_number: u64,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    weight: usize,
    used: bool,
    number: u64,
}

impl<K: Hash + Eq + Clone, V> ClockMap<K, V> {
    /// Creates an empty map.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: HashMap::new(),
            hand: VecDeque::new(),
            spent: VecDeque::new(),
            weight: 0,
            capacity,
            next_number: 0,
        }
    }

    /// Returns the value of a key and marks it as used.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.entries.get_mut(key).map(|entry| {
            entry.used = true;
            &entry.value
        })
    }

    /// Like [`Self::get`], but mutable.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|entry| {
            entry.used = true;
            &mut entry.value
        })
    }

    /// Inserts a value, unless its weight alone exceeds the capacity or the key exists.
    pub fn insert(&mut self, key: K, value: V, weight: usize) {
        if weight > self.capacity || self.entries.contains_key(&key) {
            return;
        }
        while self.weight + weight > self.capacity {
            if let Some((key, number)) = self.spent.pop_front() {
                self.evict(&key, number);
                continue;
            }
            let Some((oldest, number)) = self.hand.pop_front() else {
                break;
            };
            match self.entries.get_mut(&oldest) {
                Some(entry) if entry.number == number && entry.used => {
                    entry.used = false;
                    self.hand.push_back((oldest, number));
                }
                _ => self.evict(&oldest, number),
            }
        }
        let number = self.next_number;
        self.next_number += 1;
        self.weight += weight;
        self.hand.push_back((key.clone(), number));
        // A new entry counts as used, because it is about to be (for example after read-ahead) and must not be evicted
        // before older used ones.
        let entry = Entry {
            value,
            weight,
            used: true,
            number,
        };
        self.entries.insert(key, entry);
        self.forget_evicted();
    }

    /// Marks a value as spent: it is probably not needed again and is evicted before all others.
    pub fn spend(&mut self, key: &K) {
        if let Some(entry) = self.entries.get(key) {
            self.spent.push_back((key.clone(), entry.number));
        }
    }

    fn evict(&mut self, key: &K, number: u64) {
        if self.entries.get(key).is_some_and(|entry| entry.number == number)
            && let Some(evicted) = self.entries.remove(key)
        {
            self.weight -= evicted.weight;
        }
    }

    /// Removes keys of evicted spent values, which stay in the clock until the hand reaches them.
    fn forget_evicted(&mut self) {
        if self.hand.len() > 2 * self.entries.len() + 16 {
            let entries = &self.entries;
            self.hand
                .retain(|(key, number)| entries.get(key).is_some_and(|entry| entry.number == *number));
        }
    }

    /// The total weight of all values.
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
    fn a_new_entry_outlives_entries_used_before_it() {
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
    fn a_spent_entry_is_evicted_first_and_once() {
        let mut map = ClockMap::new(4);
        for key in 0..4 {
            map.insert(key, (), 1);
        }
        map.spend(&2);
        map.spend(&3);
        map.insert(4, (), 1);
        assert!(map.get(&2).is_none() && map.get(&3).is_some());
        // The key is inserted again and is no longer spent.
        map.insert(2, (), 1);
        map.insert(5, (), 1);
        assert!(map.get(&3).is_none() && map.get(&2).is_some());
    }

    #[test]
    fn spent_entries_leave_nothing_behind() {
        let mut map = ClockMap::new(4);
        for key in 0..1000 {
            map.insert(key, (), 1);
            map.spend(&key);
            assert!(map.hand.len() <= 32 && map.spent.len() <= 5 && map.weight() <= 4);
        }
    }

    #[test]
    fn used_entries_outlive_unused_ones() {
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
