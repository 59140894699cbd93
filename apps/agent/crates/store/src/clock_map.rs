//! A map with a limit on the weight of its values. Evicts entries that were not used lately (the CLOCK algorithm: one bit per entry
//! instead of the lists of an LRU).

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Entries with a weight, at most `capacity` in all.
#[derive(Debug)]
pub struct ClockMap<K, V> {
    entries: HashMap<K, Entry<V>>,
    /// Keys with the numbers of their entries: a key may have gone and come back meanwhile.
    hand: VecDeque<(K, u64)>,
    /// Those that go first.
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
    /// An empty map.
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

    /// The value of a key, which thereby counts as used.
    pub fn get(&mut self, key: &K) -> Option<&V> {
        self.entries.get_mut(key).map(|entry| {
            entry.used = true;
            &entry.value
        })
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.entries.get_mut(key).map(|entry| {
            entry.used = true;
            &mut entry.value
        })
    }

    /// Keeps a value, unless it alone exceeds the capacity or the key is there already.
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
        // What is new is about to be used, e.g. what was read ahead: it must not be the first to go because all others were used.
        let entry = Entry {
            value,
            weight,
            used: true,
            number,
        };
        self.entries.insert(key, entry);
        self.forget_evicted();
    }

    /// The value is probably not needed again: it is evicted before all others.
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

    /// Spent values leave their keys in the clock until the hand passes them.
    fn forget_evicted(&mut self) {
        if self.hand.len() > 2 * self.entries.len() + 16 {
            let entries = &self.entries;
            self.hand
                .retain(|(key, number)| entries.get(key).is_some_and(|entry| entry.number == *number));
        }
    }

    /// The weight of all values together.
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
    fn what_is_spent_goes_first_however_new_it_is_and_once() {
        let mut map = ClockMap::new(4);
        for key in 0..4 {
            map.insert(key, (), 1);
        }
        map.spend(&2);
        map.spend(&3);
        map.insert(4, (), 1);
        assert!(map.get(&2).is_none() && map.get(&3).is_some());
        // It comes back, and is no longer spent.
        map.insert(2, (), 1);
        map.insert(5, (), 1);
        assert!(map.get(&3).is_none() && map.get(&2).is_some());
    }

    #[test]
    fn what_was_spent_leaves_nothing_behind() {
        let mut map = ClockMap::new(4);
        for key in 0..1000 {
            map.insert(key, (), 1);
            map.spend(&key);
            assert!(map.hand.len() <= 32 && map.spent.len() <= 5 && map.weight() <= 4);
        }
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
