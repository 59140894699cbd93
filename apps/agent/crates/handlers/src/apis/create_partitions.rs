//! CreatePartitions. Manual assignments are ignored: any agent serves any partition.

use std::sync::Arc;

use penstock_authz::{Operation, Resource};
use penstock_metadata_client::proto;
use penstock_wire::messages::create_partitions::CreatePartitionsTopicResult;
use penstock_wire::messages::{CreatePartitionsRequest, CreatePartitionsResponse};
use penstock_wire::{ApiKey, ErrorCode};

use crate::context::{Caller, Context};
use crate::{failure, timeouts};

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
    let denied = denied.into_iter().map(|topic| CreatePartitionsTopicResult {
        name: topic.name,
        error_code: ErrorCode::TOPIC_AUTHORIZATION_FAILED,
        error_message: Some("the client is not authorized to alter the topic".to_owned()),
    });
    if allowed.is_empty() {
        return CreatePartitionsResponse {
            results: denied.collect(),
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
                .map(|result| CreatePartitionsTopicResult {
                    name: result.name,
                    error_code: failure::code(result.error_code),
                    error_message: failure::message(result.error_message),
                })
                .collect()
        }
        Err(error) => {
            let error_code = failure::cluster_error(ApiKey::CreatePartitions, &error);
            names
                .into_iter()
                .map(|name| CreatePartitionsTopicResult {
                    name,
                    error_code,
                    error_message: Some(error.to_string()),
                })
                .collect()
        }
    };
    results.extend(denied);
    CreatePartitionsResponse {
        results,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use penstock_wire::ErrorCode;
    use penstock_wire::messages::create_partitions::CreatePartitionsTopic;

    use super::*;
    use crate::testing::{TestAgent, caller, done, refused, topic};

    #[tokio::test]
    async fn grown_topics_are_known_at_once_and_refusals_say_why() {
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
}
