//! The configs of groups of the new protocol (KIP-848). The metadata service stores them, even for nonexistent groups,
//! and refuses configs of share groups and streams groups.

use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};

use crate::configs::config_outcome::{Outcome, outcome};
use crate::configs::topic_configs::Kind;
use crate::context::{Caller, Context};

/// The properties of a config that the metadata service does not send.
#[derive(Debug)]
pub(crate) struct Definition {
    name: &'static str,
    /// The broker config that sets the default in Kafka.
    pub(crate) broker_name: &'static str,
    /// The default in the cluster, as in `GROUP_CONFIGS` of the metadata service. It never changes.
    pub(crate) default: &'static str,
    pub(crate) kind: Kind,
    pub(crate) documentation: &'static str,
}

/// The names of all configs that this agent knows.
pub(crate) const NAMES: [&str; 4] = [
    DEFINITIONS[0].name,
    DEFINITIONS[1].name,
    DEFINITIONS[2].name,
    DEFINITIONS[3].name,
];

const DEFINITIONS: [Definition; 4] = [
    Definition {
        name: "consumer.assignment.interval.ms",
        broker_name: "group.consumer.assignment.interval.ms",
        default: "1000",
        kind: Kind::Int,
        documentation: "The shortest time between two computations of the group's assignment.",
    },
    Definition {
        name: "consumer.assignor.offload.enable",
        broker_name: "group.consumer.assignor.offload.enable",
        default: "true",
        kind: Kind::Boolean,
        documentation: "Has no effect: assignments are always computed beside the requests of groups.",
    },
    Definition {
        name: "consumer.heartbeat.interval.ms",
        broker_name: "group.consumer.heartbeat.interval.ms",
        default: "5000",
        kind: Kind::Int,
        documentation: "How often the members of the group send heartbeats.",
    },
    Definition {
        name: "consumer.session.timeout.ms",
        broker_name: "group.consumer.session.timeout.ms",
        default: "45000",
        kind: Kind::Int,
        documentation: "How long a member may be silent before it is removed from the group.",
    },
];

/// The definition of a config; `None` for one of a newer metadata service.
pub(crate) fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

/// Changes the configs of groups. Returns the outcomes in the same order.
///
/// # Errors
/// Returns an error if the owner is unreachable.
pub(crate) async fn alter(
    (context, caller): (&Context, &Caller),
    changes: Vec<(String, Vec<proto::ConfigOp>)>,
    validate_only: bool,
) -> Result<Vec<Outcome>, RpcError> {
    let changes = changes.into_iter();
    let rpc = proto::AlterGroupConfigsRequest {
        groups: changes
            .map(|(group_id, ops)| proto::GroupConfigChange { group_id, ops })
            .collect(),
        validate_only,
        client: context.named(caller),
    };
    let answer = context.metadata.alter_group_configs(rpc, DEFAULT_TIMEOUT).await?;
    let results = answer.results.into_iter();
    Ok(results
        .map(|result| outcome(result.error_code, result.error_message))
        .collect())
}

/// The effective configs of groups, in the order of their ids.
pub(crate) async fn describe(context: &Context, group_ids: Vec<String>) -> Result<Vec<proto::GroupConfigs>, RpcError> {
    let rpc = proto::DescribeGroupConfigsRequest { group_ids };
    let answer = context.metadata.describe_group_configs(rpc, DEFAULT_TIMEOUT).await?;
    Ok(answer.groups)
}

/// The groups with configs of their own.
pub(crate) async fn groups_with_configs(context: &Context) -> Result<Vec<String>, RpcError> {
    let groups = describe(context, Vec::new()).await?;
    Ok(groups.into_iter().map(|group| group.group_id).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller};

    #[tokio::test]
    async fn the_owner_learns_which_client_changed_a_group() {
        let agent = TestAgent::new();
        let done = proto::AlterGroupConfigsResponse {
            results: vec![proto::AclResult::default()],
        };
        agent.metadata.answer("AlterGroupConfigs", &done);
        let changes = vec![("readers".to_owned(), Vec::new())];
        alter((&agent.context, &caller(1)), changes, false).await.unwrap();
        let asked = agent
            .metadata
            .requests::<proto::AlterGroupConfigsRequest>("AlterGroupConfigs");
        assert_eq!(asked[0].client, agent.context.named(&caller(1)));
    }
}
