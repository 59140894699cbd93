//! The days after the storm: agents delete the objects that nothing references, and keep all others.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::busy::Busy;
use crate::readers::Log;

/// An agent collects orphans six hours after its start or its last round, if they are two days old. These leaps and the
/// time between them are 55 hours, with a round in the first leap and one outside of both.
const FIRST_LEAP: Duration = Duration::from_secs(49 * 3_600);
const SECOND_LEAP: Duration = Duration::from_secs(6 * 3_600 - 120);
/// From the leap of six hours to the end. Enough for two rounds of deletions.
const SETTLING: Duration = Duration::from_secs(150);

/// The part of the simulated time in which nothing happened.
pub(crate) const LEAPT: Duration = Duration::from_secs(FIRST_LEAP.as_secs() + SECOND_LEAP.as_secs());

/// Objects that the storm left behind.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOver {
    /// Neither referenced nor awaiting deletion.
    pub(crate) objects: BTreeSet<String>,
    /// Referenced, and missing from the bucket.
    pub(crate) missing: BTreeSet<String>,
    /// Files that agents are still to delete.
    pub(crate) to_delete: usize,
}

/// Compares the bucket with what the service has stored durably.
pub(crate) fn left_over(facts: &Value, names: &[String]) -> LeftOver {
    let referenced = keys(facts, "referenced");
    let to_delete = keys(facts, "toDelete");
    let names: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    let is_known = |name: &&&str| referenced.contains(**name) || to_delete.contains(**name);
    LeftOver {
        objects: names
            .iter()
            .filter(|name| !is_known(name))
            .map(|name| (*name).to_owned())
            .collect(),
        missing: referenced
            .iter()
            .filter(|key| !names.contains(*key))
            .map(|key| (*key).to_owned())
            .collect(),
        to_delete: to_delete.len(),
    }
}

fn keys<'a>(facts: &'a Value, list: &str) -> BTreeSet<&'a str> {
    let files = facts[list].as_array().map_or(&[][..], Vec::as_slice);
    files.iter().filter_map(|file| file["key"].as_str()).collect()
}

/// Lets 55 hours pass, most of them at once. A leap between an object and its commit would leave an object that is too
/// young for the last round.
pub(crate) async fn pass_days(bridge: &Bridge, busy: &Busy) {
    busy.quiet().await;
    bridge.leap(FIRST_LEAP).await;
    sleep(SETTLING).await;
    busy.quiet().await;
    bridge.leap(SECOND_LEAP).await;
    sleep(SETTLING).await;
}

/// Returns what is broken after days without faults.
pub(crate) fn judge_days(before: &[Log], left: &LeftOver, after: &[Log]) -> Vec<String> {
    let mut faults: Vec<String> = left
        .objects
        .iter()
        .map(|name| format!("the object {name} is left over"))
        .collect();
    faults.extend(
        left.missing
            .iter()
            .map(|name| format!("the object {name} is referenced and was deleted")),
    );
    if left.to_delete > 0 {
        faults.push(format!("{} files wait for deletion after days", left.to_delete));
    }
    for (partition, (before, after)) in before.iter().zip(after).enumerate() {
        let records = |log: &Log| log.batches.iter().map(|batch| batch.records.len()).sum::<usize>();
        let found = |log: &Log| -> Vec<_> { log.batches.iter().flat_map(|batch| batch.records.clone()).collect() };
        if found(before) != found(after) {
            faults.push(format!(
                "partition {partition} had {} records, and has {} others after days",
                records(before),
                records(after)
            ));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn facts() -> Value {
        json!({"referenced": [{"key": "a"}, {"key": "b"}], "toDelete": [{"key": "c"}]})
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn accepts_referenced_files_and_those_to_delete() {
        let left = left_over(&facts(), &names(&["a", "b", "c"]));
        assert_eq!((left.objects.len(), left.missing.len(), left.to_delete), (0, 0, 1));
    }

    #[test]
    fn notices_objects_left_over_and_missing_ones() {
        let left = left_over(&facts(), &names(&["a", "d"]));
        assert_eq!(
            judge_days(&[], &left, &[]),
            [
                "the object d is left over",
                "the object b is referenced and was deleted",
                "1 files wait for deletion after days"
            ]
        );
    }

    #[test]
    fn notices_a_record_that_went() {
        let log = || Log {
            batches: vec![crate::judge::tests::batch(0, "a")],
            ..Default::default()
        };
        let left = LeftOver::default();
        assert!(judge_days(&[log()], &left, &[log()]).is_empty());
        let gone = Log::default();
        assert_eq!(
            judge_days(&[log()], &left, &[gone]),
            ["partition 0 had 1 records, and has 0 others after days"]
        );
    }
}
