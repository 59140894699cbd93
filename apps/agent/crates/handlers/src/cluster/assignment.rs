//! Validates the replica placement that a client requests. Since object storage keeps all records and any agent serves
//! any partition, the only valid placement is the leader that the client sees. Every API refuses all others in the same
//! way: if another were accepted, tools would wait for it to appear, or request it repeatedly.

use std::collections::HashSet;

use penstock_wire::ErrorCode;

use crate::cluster::brokers::BrokerView;

/// Validates the replicas of a partition.
///
/// # Errors
/// Returns an error if the placement is invalid, names a nonexistent broker, or is not the one that the client sees.
pub(crate) fn check(replicas: &[i32], view: &BrokerView) -> Result<(), (ErrorCode, String)> {
    let refused = |reason| Err((ErrorCode::INVALID_REPLICA_ASSIGNMENT, reason));
    let unknown = |replica: &&i32| view.brokers.iter().all(|broker| broker.node_id != **replica);
    let leader_id = view.leader.node_id;
    if replicas.is_empty() {
        return refused("The assignment has no replicas.".to_owned());
    }
    if let Some(replica) = replicas.iter().find(unknown) {
        return refused(format!("The assignment names broker {replica}, which does not exist."));
    }
    if replicas.iter().collect::<HashSet<_>>().len() < replicas.len() {
        return refused("The assignment names a broker twice.".to_owned());
    }
    if replicas != [leader_id] {
        return refused(format!(
            "Partitions can't be assigned to agents: object storage keeps all records, and any agent serves any partition. \
             The only replica that you see is {leader_id}. Leave the assignment out."
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::brokers::Broker;

    #[test]
    fn accepts_only_the_leader_that_the_client_sees() {
        let broker = |node_id| Broker {
            node_id,
            host: "agent.example".to_owned(),
            port: 9092,
            rack: None,
        };
        let view = BrokerView {
            brokers: vec![broker(1), broker(2)],
            leader: broker(2),
            coordinator: broker(1),
        };
        let refusal = |replicas: &[i32]| check(replicas, &view).err().map(|(_, reason)| reason);
        assert_eq!(refusal(&[2]), None);
        for (replicas, why) in [
            (&[] as &[i32], "no replicas"),
            (&[9], "broker 9"),
            (&[2, 2], "twice"),
            (&[1], "can't be assigned"),
            (&[2, 1], "can't be assigned"),
        ] {
            assert!(refusal(replicas).unwrap().contains(why), "{replicas:?}");
        }
    }
}
