//! The record of one consumer group: who held which partition, what was committed, and what its members consumed.
//! Members report here; nothing here talks to an agent.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::history::TOPIC;
use crate::trace::Trace;

/// Identifies one uninterrupted ownership of a partition by a member. Later ownerships have higher numbers.
pub(crate) type ClaimId = usize;

/// The answer to a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommitOutcome {
    Acknowledged,
    /// No answer: it may have taken effect, or still will.
    Unknown,
    Refused,
}

/// An offset to commit for a partition that the member holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    pub(crate) partition: i32,
    pub(crate) claim: ClaimId,
    pub(crate) offset: i64,
}

#[derive(Debug)]
struct Claim {
    member: String,
}

/// The present holder of a partition.
#[derive(Debug)]
struct Holder {
    claim: ClaimId,
    member: String,
    /// From then on the coordinator may have fenced it.
    until_ms: i64,
}

#[derive(Debug)]
struct Commit {
    claim: ClaimId,
    offset: i64,
    outcome: CommitOutcome,
    /// Another member had taken over before the commit was sent.
    is_superseded: bool,
}

#[derive(Debug, Default)]
struct Partition {
    holder: Option<Holder>,
    commits: Vec<Commit>,
    consumed: BTreeSet<i64>,
}

/// Counts of a group, for the outcome of the seed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) claims: usize,
    pub(crate) commits: usize,
    pub(crate) refused_commits: usize,
    pub(crate) unknown_commits: usize,
}

#[derive(Debug, Default)]
struct State {
    partitions: BTreeMap<i32, Partition>,
    claims: Vec<Claim>,
    /// Claims of each generation, by partition. Classic protocol only.
    generations: BTreeMap<(i32, i32), ClaimId>,
    newest_generation: i32,
    /// Where the partitions end. Known after the storm.
    ends: Option<Vec<i64>>,
    faults: Vec<String>,
}

/// A group. Clones are the same.
#[derive(Clone)]
pub(crate) struct Group {
    pub(crate) name: String,
    trace: Trace,
    state: Arc<Mutex<State>>,
}

impl Group {
    pub(crate) fn new(name: &str, trace: &Trace) -> Self {
        Self {
            name: name.to_owned(),
            trace: trace.clone(),
            state: Arc::default(),
        }
    }

    /// A member heard of a generation, which fences the earlier ones.
    pub(crate) fn sees_generation(&self, generation: i32) {
        let mut state = self.state.lock();
        state.newest_generation = state.newest_generation.max(generation);
    }

    /// A member of the classic protocol got its partitions in a generation.
    pub(crate) fn assigned(&self, member: &str, generation: i32, partitions: &[i32]) -> BTreeMap<i32, ClaimId> {
        let what = format!("{member} has {partitions:?} in generation {generation}");
        self.trace.note(&self.name, &what);
        let mut state = self.state.lock();
        let mut claims = BTreeMap::new();
        for partition in partitions {
            let before = state.generations.get(&(generation, *partition)).copied();
            let holder = before.map(|claim| state.claims[claim].member.clone());
            if let (Some(claim), true) = (before, holder.as_deref() == Some(member)) {
                // It has joined this generation before.
                claims.insert(*partition, claim);
                continue;
            }
            if let Some(holder) = holder {
                let fault = format!(
                    "{}: partition {partition} belongs to {holder} and {member} in generation {generation}",
                    self.name
                );
                state.faults.push(fault);
            }
            let claim = match generation < state.newest_generation {
                // It is fenced already, and its commits must be refused.
                true => state.claim(member),
                false => state.hold(member, *partition, i64::MAX),
            };
            state.generations.insert((generation, *partition), claim);
            claims.insert(*partition, claim);
        }
        claims
    }

    /// A member of the new protocol got a partition. The one before must have given it up or be fenced.
    pub(crate) fn takes(&self, member: &str, partition: i32, now_ms: i64, until_ms: i64) -> ClaimId {
        self.trace.note(&self.name, &format!("{member} takes {partition}"));
        let mut state = self.state.lock();
        let holder = state.partitions.get(&partition).and_then(|known| known.holder.as_ref());
        if let Some(holder) = holder
            && holder.member != member
            && now_ms < holder.until_ms
        {
            let fault = format!(
                "{}: {member} got partition {partition}, which {} has not given up",
                self.name, holder.member
            );
            state.faults.push(fault);
        }
        state.hold(member, partition, until_ms)
    }

    /// The coordinator answered a member: until then nobody may fence it.
    pub(crate) fn renews(&self, member: &str, until_ms: i64) {
        let mut state = self.state.lock();
        for holder in state.partitions.values_mut().filter_map(|known| known.holder.as_mut()) {
            if holder.member == member {
                holder.until_ms = until_ms;
            }
        }
    }

    /// A member gives up partitions.
    pub(crate) fn releases(&self, member: &str, partitions: impl IntoIterator<Item = i32>) {
        let mut state = self.state.lock();
        for partition in partitions {
            self.trace.note(&self.name, &format!("{member} releases {partition}"));
            if let Some(known) = state.partitions.get_mut(&partition) {
                known.holder.take_if(|holder| holder.member == member);
            }
        }
    }

    /// A commit is about to be sent. Returns its number for each partition.
    pub(crate) fn commits(&self, generation: Option<i32>, positions: &[Position]) -> Vec<(i32, usize)> {
        let mut state = self.state.lock();
        let is_old = generation.is_some_and(|generation| generation < state.newest_generation);
        let mut numbers = Vec::new();
        for position in positions {
            let member = state.claims[position.claim].member.clone();
            let known = state.partitions.entry(position.partition).or_default();
            let is_taken = known
                .holder
                .as_ref()
                .is_some_and(|holder| holder.claim > position.claim && holder.member != member);
            known.commits.push(Commit {
                claim: position.claim,
                offset: position.offset,
                outcome: CommitOutcome::Unknown,
                is_superseded: is_old || is_taken,
            });
            numbers.push((position.partition, known.commits.len() - 1));
        }
        numbers
    }

    /// A commit was answered. An acknowledged one must be of a member that held the partition when it sent it.
    pub(crate) fn committed(&self, numbers: &[(i32, usize)], outcome: CommitOutcome) {
        let mut state = self.state.lock();
        for (partition, number) in numbers {
            let known = state.partitions.entry(*partition).or_default();
            let Some(commit) = known.commits.get_mut(*number) else {
                continue;
            };
            commit.outcome = outcome;
            if outcome == CommitOutcome::Acknowledged && commit.is_superseded {
                let (claim, offset) = (commit.claim, commit.offset);
                let fault = format!(
                    "{}: the commit of {offset} of partition {partition} by {}, which is fenced, was acknowledged",
                    self.name, state.claims[claim].member
                );
                state.faults.push(fault);
            }
        }
    }

    /// A new holder found this committed offset; `None` if there is none. It must be the last acknowledged one, or one
    /// whose fate is unknown and that is not older.
    pub(crate) fn finds(&self, partition: i32, offset: Option<i64>) {
        let mut state = self.state.lock();
        let known = state.partitions.entry(partition).or_default();
        let last = known.last_acknowledged();
        let is_last = offset == last.map(|commit| commit.offset);
        let is_unknown = known.commits.iter().any(|commit| {
            commit.outcome == CommitOutcome::Unknown
                && Some(commit.offset) == offset
                && last.is_none_or(|last| commit.claim >= last.claim)
        });
        if !is_last && !is_unknown {
            let fault = format!(
                "{}: {offset:?} is committed for partition {partition}, and {:?} was acknowledged last",
                self.name,
                last.map(|commit| commit.offset)
            );
            state.faults.push(fault);
        }
    }

    pub(crate) fn consumes(&self, partition: i32, offset: i64) {
        let mut state = self.state.lock();
        state.partitions.entry(partition).or_default().consumed.insert(offset);
    }

    /// Adds a broken guarantee.
    pub(crate) fn fault(&self, fault: String) {
        self.state.lock().faults.push(format!("{}: {fault}", self.name));
    }

    /// Nothing is written any more: members finish when they have committed these ends.
    pub(crate) fn set_ends(&self, ends: Vec<i64>) {
        self.state.lock().ends = Some(ends);
    }

    /// Whether the group has committed everything.
    pub(crate) fn is_finished(&self) -> bool {
        let state = self.state.lock();
        state.ends.as_ref().is_some_and(|ends| {
            ends.iter().zip(0..).all(|(end, partition)| {
                let known = state.partitions.get(&partition);
                let last = known
                    .and_then(Partition::last_acknowledged)
                    .map_or(0, |commit| commit.offset);
                last >= *end
            })
        })
    }

    pub(crate) fn counts(&self) -> Counts {
        let state = self.state.lock();
        let commits = || state.partitions.values().flat_map(|known| &known.commits);
        let with = |outcome| commits().filter(|commit| commit.outcome == outcome).count();
        Counts {
            claims: state.claims.len(),
            commits: with(CommitOutcome::Acknowledged),
            refused_commits: with(CommitOutcome::Refused),
            unknown_commits: with(CommitOutcome::Unknown),
        }
    }

    /// Returns what is broken.
    /// `expected` has the offsets of the records that each partition holds for readers of committed records, and
    /// `facts` the service's own list of groups.
    pub(crate) fn judge(&self, expected: &[Vec<i64>], facts: &serde_json::Value) -> Vec<String> {
        let state = self.state.lock();
        let mut faults = state.faults.clone();
        for (offsets, partition) in expected.iter().zip(0..) {
            let known = state.partitions.get(&partition);
            let missed = offsets
                .iter()
                .find(|offset| known.is_none_or(|known| !known.consumed.contains(offset)));
            if let Some(offset) = missed {
                faults.push(format!(
                    "{}: nobody got offset {offset} of partition {partition}",
                    self.name
                ));
            }
            let acknowledged = known.and_then(Partition::last_acknowledged).map(|commit| commit.offset);
            let stored = stored_offset(facts, &self.name, partition);
            if acknowledged != stored {
                faults.push(format!(
                    "{}: {stored:?} is stored for partition {partition}, and {acknowledged:?} was acknowledged last",
                    self.name
                ));
            }
        }
        faults
    }
}

impl State {
    fn claim(&mut self, member: &str) -> ClaimId {
        self.claims.push(Claim {
            member: member.to_owned(),
        });
        self.claims.len() - 1
    }

    fn hold(&mut self, member: &str, partition: i32, until_ms: i64) -> ClaimId {
        let claim = self.claim(member);
        self.partitions.entry(partition).or_default().holder = Some(Holder {
            claim,
            member: member.to_owned(),
            until_ms,
        });
        claim
    }
}

impl Partition {
    fn last_acknowledged(&self) -> Option<&Commit> {
        let acknowledged = self
            .commits
            .iter()
            .filter(|commit| commit.outcome == CommitOutcome::Acknowledged);
        acknowledged.max_by_key(|commit| commit.claim)
    }
}

/// The committed offset that the service has for a partition of the topic.
fn stored_offset(facts: &serde_json::Value, group: &str, partition: i32) -> Option<i64> {
    let groups = facts["groups"].as_array()?;
    let group = groups.iter().find(|one| one["groupId"] == group)?;
    let offsets = group["offsets"].as_array()?;
    let offset = offsets
        .iter()
        .find(|one| one["topic"] == TOPIC && one["partition"] == partition)?;
    offset["offset"].as_i64()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    fn group() -> Group {
        Group::new("g", &Trace::new(Clock::starting_at(0), false))
    }

    fn at(claim: ClaimId, offset: i64) -> [Position; 1] {
        [Position {
            partition: 0,
            claim,
            offset,
        }]
    }

    fn commit(group: &Group, generation: Option<i32>, position: [Position; 1], outcome: CommitOutcome) {
        let numbers = group.commits(generation, &position);
        group.committed(&numbers, outcome);
    }

    fn faults(group: &Group) -> Vec<String> {
        group.state.lock().faults.clone()
    }

    #[test]
    fn accepts_commits_in_order() {
        let group = group();
        let claim = group.assigned("a", 1, &[0])[&0];
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Acknowledged);
        commit(&group, Some(1), at(claim, 5), CommitOutcome::Acknowledged);
        group.finds(0, Some(5));
        for offset in 0..5 {
            group.consumes(0, offset);
        }
        let facts = serde_json::json!({
            "groups": [{"groupId": "g", "offsets": [{"topic": TOPIC, "partition": 0, "offset": 5}]}],
        });
        assert_eq!(group.judge(&[(0..5).collect()], &facts), [] as [&str; 0]);
    }

    #[test]
    fn notices_two_owners_of_one_generation() {
        let group = group();
        group.assigned("a", 1, &[0, 1]);
        group.assigned("b", 1, &[1]);
        assert_eq!(faults(&group), ["g: partition 1 belongs to a and b in generation 1"]);
    }

    #[test]
    fn notices_a_partition_given_away_too_early() {
        let group = group();
        group.takes("a", 0, 0, 100);
        group.takes("b", 0, 99, 200);
        assert_eq!(faults(&group), ["g: b got partition 0, which a has not given up"]);
        group.takes("c", 0, 200, 300);
        group.releases("c", [0]);
        group.takes("d", 0, 201, 300);
        assert_eq!(faults(&group).len(), 1);
    }

    #[test]
    fn notices_a_committed_offset_that_goes_back() {
        let group = group();
        let claim = group.assigned("a", 1, &[0])[&0];
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Acknowledged);
        commit(&group, Some(1), at(claim, 5), CommitOutcome::Acknowledged);
        group.finds(0, Some(3));
        group.finds(0, None);
        assert_eq!(faults(&group).len(), 2);
    }

    #[test]
    fn accepts_a_commit_whose_answer_was_lost() {
        let group = group();
        let claim = group.assigned("a", 1, &[0])[&0];
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Acknowledged);
        commit(&group, Some(1), at(claim, 5), CommitOutcome::Unknown);
        group.finds(0, Some(3));
        group.finds(0, Some(5));
        assert_eq!(faults(&group), [] as [&str; 0]);
        // A lost commit of an earlier claim is fenced by an acknowledged one of a later claim.
        let later = group.assigned("b", 2, &[0])[&0];
        commit(&group, Some(2), at(later, 7), CommitOutcome::Acknowledged);
        group.finds(0, Some(5));
        assert_eq!(faults(&group).len(), 1);
    }

    #[test]
    fn notices_an_acknowledged_commit_of_a_fenced_member() {
        let group = group();
        let claim = group.assigned("a", 1, &[0])[&0];
        group.sees_generation(2);
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Refused);
        assert_eq!(faults(&group), [] as [&str; 0]);
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Acknowledged);
        let fault = "g: the commit of 3 of partition 0 by a, which is fenced, was acknowledged";
        assert_eq!(faults(&group), [fault]);
    }

    #[test]
    fn notices_a_record_that_nobody_got() {
        let group = group();
        group.consumes(0, 0);
        let faults = group.judge(&[vec![0, 1]], &serde_json::json!({}));
        assert_eq!(faults, ["g: nobody got offset 1 of partition 0"]);
    }

    #[test]
    fn notices_an_acknowledged_commit_that_is_not_stored() {
        let group = group();
        let claim = group.assigned("a", 1, &[0])[&0];
        commit(&group, Some(1), at(claim, 3), CommitOutcome::Acknowledged);
        let faults = group.judge(&[vec![]], &serde_json::json!({}));
        assert_eq!(
            faults,
            ["g: None is stored for partition 0, and Some(3) was acknowledged last"]
        );
    }
}
