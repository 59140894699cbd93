//! Decides which check runs next. Knows neither threads nor clocks.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::time::Duration;

/// Waiting and running checks. Each client has its own queue, and the client that has used the least time is next. A
/// returning client starts at the same level as the others, because unused time is not saved.
#[derive(Debug)]
pub(super) struct Turns<Who, Waiting> {
    limits: TurnLimits,
    lines: HashMap<Who, Line<Waiting>>,
    running: usize,
    window_bytes: u64,
    waiting_bytes: u64,
    /// The time that the client of the last check had used when the check began.
    clock: Duration,
}

/// Limits on all checks together.
#[derive(Debug, Clone, Copy)]
pub(super) struct TurnLimits {
    /// Maximum number of concurrent checks.
    pub(super) running: usize,
    /// Maximum memory of running checks. No single check needs more.
    pub(super) window_bytes: u64,
    /// Maximum size of waiting requests. One may wait whatever its size.
    pub(super) waiting_bytes: u64,
}

#[derive(Debug)]
struct Line<Waiting> {
    used: Duration,
    running: usize,
    waiting_bytes: u64,
    waiting: VecDeque<Entry<Waiting>>,
}

#[derive(Debug)]
struct Entry<Waiting> {
    size: Size,
    waiting: Waiting,
}

/// The resources that a check needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    /// Size of the waiting request, in bytes.
    pub(super) request_bytes: u64,
    /// Memory needed during the check.
    pub(super) window_bytes: u64,
}

impl<Who: Clone + Eq + Hash, Waiting> Turns<Who, Waiting> {
    pub(super) fn new(limits: TurnLimits) -> Self {
        Self {
            limits,
            lines: HashMap::new(),
            running: 0,
            window_bytes: 0,
            waiting_bytes: 0,
            clock: Duration::ZERO,
        }
    }

    /// Adds a check to the client's queue. Refuses it if too much is waiting and the client has its share of that.
    /// `is_gone` returns true for a check whose client has gone.
    pub(super) fn enter(
        &mut self,
        who: &Who,
        size: Size,
        waiting: Waiting,
        is_gone: impl Fn(&Waiting) -> bool,
    ) -> Result<(), Waiting> {
        let lines = self.lines.len() as u64 + u64::from(!self.lines.contains_key(who));
        let clock = self.clock;
        let line = self.lines.entry(who.clone()).or_insert_with(|| Line {
            used: clock,
            running: 0,
            waiting_bytes: 0,
            waiting: VecDeque::new(),
        });
        if self.waiting_bytes + size.request_bytes > self.limits.waiting_bytes && line.waiting_bytes > 0 {
            line.waiting.retain(|entry| {
                let stays = !is_gone(&entry.waiting);
                if !stays {
                    line.waiting_bytes -= entry.size.request_bytes;
                    self.waiting_bytes -= entry.size.request_bytes;
                }
                stays
            });
            let is_over = self.waiting_bytes + size.request_bytes > self.limits.waiting_bytes;
            let share_bytes = self.limits.waiting_bytes / lines;
            if is_over && !line.waiting.is_empty() && line.waiting_bytes + size.request_bytes > share_bytes {
                return Err(waiting);
            }
        }
        if line.waiting.is_empty() && line.running == 0 {
            line.used = line.used.max(clock);
        }
        line.waiting_bytes += size.request_bytes;
        self.waiting_bytes += size.request_bytes;
        line.waiting.push_back(Entry { size, waiting });
        Ok(())
    }

    /// Takes the next check that can run now, if there is one. Call [`Self::finish`] when it ends.
    pub(super) fn start(&mut self) -> Option<(Who, Size, Waiting)> {
        if self.running >= self.limits.running {
            return None;
        }
        let lines = self.lines.iter_mut().filter(|(_, line)| !line.waiting.is_empty());
        // The time of a check counts only when it ends, so clients with running checks sort last.
        let (who, line) = lines.min_by_key(|(_, line)| (line.running, line.used))?;
        let fits = |entry: &mut Entry<Waiting>| self.window_bytes + entry.size.window_bytes <= self.limits.window_bytes;
        // Smaller checks do not overtake it; otherwise it might wait forever.
        let Entry { size, waiting } = line.waiting.pop_front_if(fits)?;
        line.running += 1;
        line.waiting_bytes -= size.request_bytes;
        self.clock = self.clock.max(line.used);
        self.running += 1;
        self.window_bytes += size.window_bytes;
        self.waiting_bytes -= size.request_bytes;
        Some((who.clone(), size, waiting))
    }

    /// Ends a check that was started.
    pub(super) fn finish(&mut self, who: &Who, size: Size, used: Duration) {
        self.running -= 1;
        self.window_bytes -= size.window_bytes;
        if let Some(line) = self.lines.get_mut(who) {
            line.running -= 1;
            line.used += used;
        }
        let is_idle = self.running == 0 && self.lines.values().all(|line| line.waiting.is_empty());
        let clock = self.clock;
        // A client's usage is forgotten once no other client is behind it.
        self.lines
            .retain(|_, line| line.running > 0 || !line.waiting.is_empty() || (!is_idle && line.used > clock));
    }

    #[cfg(test)]
    pub(super) fn in_use(&self) -> (usize, u64) {
        (self.running, self.window_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: TurnLimits = TurnLimits {
        running: 2,
        window_bytes: 100,
        waiting_bytes: 1_000,
    };

    fn size(request_bytes: u64, window_bytes: u64) -> Size {
        Size {
            request_bytes,
            window_bytes,
        }
    }

    fn enter(turns: &mut Turns<char, u32>, who: char, size: Size, number: u32) -> bool {
        turns.enter(&who, size, number, |_| false).is_ok()
    }

    #[test]
    fn running_checks_stay_within_the_limits() {
        let mut turns = Turns::new(LIMITS);
        for (number, window_bytes) in (0..).zip([60, 50, 10, 10]) {
            assert!(enter(&mut turns, 'a', size(1, window_bytes), number));
        }
        let (who, first, number) = turns.start().unwrap();
        assert_eq!((number, turns.in_use()), (0, (1, 60)));
        // There is no room for the second, and the third must not overtake it.
        assert!(turns.start().is_none());
        turns.finish(&who, first, Duration::ZERO);
        assert_eq!(turns.start().map(|started| started.2), Some(1));
        assert_eq!(turns.start().map(|started| started.2), Some(2));
        assert_eq!(turns.in_use(), (2, 60));
        assert!(turns.start().is_none());
    }

    #[test]
    fn clients_take_turns_by_the_time_they_use() {
        let mut turns = Turns::new(TurnLimits { running: 1, ..LIMITS });
        for number in 0..20 {
            enter(&mut turns, 'a', size(1, 1), number);
        }
        let mut order = Vec::new();
        let mut run = |turns: &mut Turns<char, u32>| {
            let (who, size, number) = turns.start().unwrap();
            order.push((who, number));
            turns.finish(&who, size, Duration::from_millis(if who == 'a' { 10 } else { 5 }));
        };
        run(&mut turns);
        for number in 100..106 {
            enter(&mut turns, 'b', size(1, 1), number);
        }
        for _ in 0..8 {
            run(&mut turns);
        }
        let of_b = order.iter().filter(|(who, _)| *who == 'b').count();
        assert_eq!(order[1], ('b', 100));
        // Equal time for both: two short ones per long one.
        assert_eq!((order.len(), of_b), (9, 6));
    }

    #[test]
    fn many_checks_of_one_client_do_not_delay_another() {
        let mut turns = Turns::new(TurnLimits { running: 1, ..LIMITS });
        for number in 0..900 {
            enter(&mut turns, 'a', size(1, 1), number);
        }
        let (who, first, _) = turns.start().unwrap();
        enter(&mut turns, 'b', size(1, 1), 1_000);
        turns.finish(&who, first, Duration::from_secs(60));
        assert_eq!(turns.start().map(|(who, ..)| who), Some('b'));
    }

    #[test]
    fn a_flooding_client_leaves_room_for_others_to_wait() {
        let mut turns = Turns::new(LIMITS);
        assert!(enter(&mut turns, 'a', size(5_000, 1), 0), "one waits however large");
        assert!(!enter(&mut turns, 'a', size(1, 1), 1));
        assert!(enter(&mut turns, 'b', size(400, 1), 2));
        assert!(enter(&mut turns, 'b', size(100, 1), 3));
        assert!(!enter(&mut turns, 'b', size(100, 1), 4), "a half is the share of each");
    }

    #[test]
    fn checks_that_nobody_waits_for_make_room() {
        let mut turns = Turns::new(LIMITS);
        assert!(enter(&mut turns, 'a', size(600, 1), 0));
        assert!(enter(&mut turns, 'a', size(400, 1), 1));
        assert_eq!(turns.enter(&'a', size(500, 1), 2, |_| false), Err(2));
        assert_eq!(turns.enter(&'a', size(500, 1), 2, |number| *number == 0), Ok(()));
        assert_eq!(turns.start().map(|started| started.2), Some(1));
    }

    #[test]
    fn forgets_clients_that_are_done() {
        let mut turns = Turns::new(LIMITS);
        for who in ['a', 'b', 'c'] {
            enter(&mut turns, who, size(1, 1), 0);
        }
        while let Some((who, size, _)) = turns.start() {
            turns.finish(&who, size, Duration::from_secs(1));
        }
        assert!(turns.lines.is_empty());
        assert_eq!((turns.in_use(), turns.waiting_bytes), ((0, 0), 0));
    }
}
