//! CreatePartitions. The owner decides; this file validates replica assignments, of which the owner knows nothing.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::proto;
use penstock_wire::messages::create_partitions::{CreatePartitionsTopic, CreatePartitionsTopicResult};
use penstock_wire::messages::{CreatePartitionsRequest, CreatePartitionsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::cluster::assignment;
use crate::cluster::brokers::BrokerView;
use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::timeouts;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: CreatePartitionsRequest,
) -> CreatePartitionsResponse {
    let access = context.access(&caller);
    let (allowed, denied): (Vec<_>, Vec<_>) = request
        .topics
        .into_iter()
        .partition(|topic| access.allows(Operation::Alter, Resource::topic(&topic.name)));
    let refused = |name, refusal: (ErrorCode, String)| CreatePartitionsTopicResult { name, ..refusal.into() };
    let denied = denied.into_iter().map(|topic| {
        let reason = "the client is not authorized to alter the topic".to_owned();
        refused(topic.name, (ErrorCode::TOPIC_AUTHORIZATION_FAILED, reason))
    });
    let view = BrokerView::of(&context, &caller);
    let mut misplaced = Vec::new();
    let mut placed = Vec::with_capacity(allowed.len());
    for topic in allowed {
        match check_assignments(&context, &view, &topic).await {
            Ok(()) => placed.push(topic),
            Err(refusal) => misplaced.push(refused(topic.name, refusal)),
        }
    }
    let left_out = misplaced.into_iter().chain(denied);
    let allowed = placed;
    if allowed.is_empty() {
        return CreatePartitionsResponse {
            results: left_out.collect(),
            ..Default::default()
        };
    }
    let names: Vec<String> = allowed.iter().map(|topic| topic.name.clone()).collect();
    let topics = allowed
        .into_iter()
        .map(|topic| proto::PartitionGrowth {
            name: topic.name,
            total_partitions: topic.count,
        })
        .collect();
    let rpc = proto::CreatePartitionsRequest {
        topics,
        validate_only: request.validate_only,
        client: context.named(&caller),
    };
    let mut results: Vec<CreatePartitionsTopicResult> = match context
        .metadata
        .create_partitions(rpc, timeouts::of_request(request.timeout_ms))
        .await
    {
        Ok(answer) => {
            if !request.validate_only {
                let grown: Vec<proto::Topic> = answer
                    .results
                    .iter()
                    .filter_map(|result| result.topic.clone())
                    .collect();
                context.cache.upsert_topics(&grown);
            }
            answer
                .results
                .into_iter()
                .map(|result| refused(result.name, (failure::code(result.error_code), result.error_message)))
                .collect()
        }
        Err(error) => {
            let error_code = failure::cluster_error(ApiKey::CreatePartitions, &error);
            names
                .into_iter()
                .map(|name| refused(name, (error_code, error.to_string())))
                .collect()
        }
    };
    results.extend(left_out);
    CreatePartitionsResponse {
        results,
        ..Default::default()
    }
}

/// Validates the replicas of new partitions, if the request assigns them. Leaves other errors to the owner, because
/// Kafka checks those first.
async fn check_assignments(
    context: &Context,
    view: &BrokerView,
    topic: &CreatePartitionsTopic,
) -> Result<(), (ErrorCode, String)> {
    let Some(assignments) = &topic.assignments else {
        return Ok(());
    };
    let found = context.topics_by_name(&[&topic.name]).await;
    let found = found.map_err(|error| {
        let error_code = failure::cluster_error(ApiKey::CreatePartitions, &error);
        (error_code, error.to_string())
    })?;
    let existing = found.into_iter().next().flatten().map(|known| known.partitions);
    let added = existing.and_then(|existing| usize::try_from(i64::from(topic.count) - i64::from(existing)).ok());
    let Some(added) = added.filter(|added| *added > 0) else {
        return Ok(());
    };
    if assignments.len() != added {
        let reason = format!(
            "The request adds {added} partitions and assigns replicas for {}.",
            assignments.len()
        );
        return Err((ErrorCode::INVALID_REPLICA_ASSIGNMENT, reason));
    }
    assignments
        .iter()
        .try_for_each(|placed| assignment::check(&placed.broker_ids, view))
}

#[cfg(test)]
mod tests {
    use penstock_wire::messages::create_partitions::CreatePartitionsAssignment;

    use super::*;
    use crate::testing::{NODE_ID, TestAgent, caller, done, refused, topic};

    #[tokio::test]
    async fn extended_topics_are_known_immediately_and_refusals_explained() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let results = vec![done(topic(1, "a", 6)), refused("b", 37, "it has 8 already")];
        agent
            .metadata
            .answer("CreatePartitions", &proto::CreatePartitionsResponse { results });
        let grow = |name: &str| CreatePartitionsTopic {
            name: name.to_owned(),
            count: 6,
            assignments: None,
        };
        let request = CreatePartitionsRequest {
            topics: vec![grow("a"), grow("b")],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(3), request).await;
        assert_eq!(answer.results[0].error_code, ErrorCode::NONE);
        assert_eq!(answer.results[1].error_code, ErrorCode::INVALID_PARTITIONS);
        assert_eq!(answer.results[1].error_message.as_deref(), Some("it has 8 already"));
        assert_eq!(
            agent.context.cache.catalogue().topic_by_name("a").unwrap().partitions,
            6
        );
    }

    #[tokio::test]
    async fn refuses_replicas_on_nonexistent_brokers() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let grow = |count, brokers: &[i32]| {
            let placed = |broker: &i32| CreatePartitionsAssignment {
                broker_ids: vec![*broker],
            };
            let topic = CreatePartitionsTopic {
                name: "a".to_owned(),
                count,
                assignments: Some(brokers.iter().map(placed).collect()),
            };
            let request = CreatePartitionsRequest {
                topics: vec![topic],
                validate_only: true,
                ..Default::default()
            };
            handle(agent.context(), caller(3), request)
        };
        let results = vec![done(topic(1, "a", 2))];
        agent
            .metadata
            .answer("CreatePartitions", &proto::CreatePartitionsResponse { results });
        assert_eq!(grow(2, &[NODE_ID]).await.results[0].error_code, ErrorCode::NONE);
        for (count, brokers) in [(2, &[99][..]), (3, &[NODE_ID]), (2, &[])] {
            let answer = grow(count, brokers).await;
            assert_eq!(
                answer.results[0].error_code,
                ErrorCode::INVALID_REPLICA_ASSIGNMENT,
                "{brokers:?}"
            );
        }
    }
}
