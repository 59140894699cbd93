//! DeleteTopics, by name or (since version 6) by id.

use std::sync::Arc;

use penstock_access::Access;
use penstock_authz::{Operation, Resource};
use penstock_metadata_client::{RpcError, proto};
use penstock_wire::messages::delete_topics::{DeletableTopicResult, DeleteTopicState};
use penstock_wire::messages::{DeleteTopicsRequest, DeleteTopicsResponse};
use penstock_wire::{ApiKey, ErrorCode};
use uuid::Uuid;

use crate::context::{Caller, Context};
use crate::conversions::failure;
use crate::conversions::ids;
use crate::conversions::timeouts;

pub(crate) async fn handle(
    context: Arc<Context>,
    caller: Caller,
    request: DeleteTopicsRequest,
) -> DeleteTopicsResponse {
    let by_name = request.topic_names.into_iter().map(|name| DeleteTopicState {
        name: Some(name),
        ..Default::default()
    });
    let wanted: Vec<DeleteTopicState> = request.topics.into_iter().chain(by_name).collect();
    let mut responses: Vec<DeletableTopicResult> = wanted
        .iter()
        .map(|topic| DeletableTopicResult {
            name: topic.name.clone(),
            topic_id: topic.topic_id,
            ..Default::default()
        })
        .collect();

    // The owner returns results for names first, then for ids.
    let (mut name_places, mut id_places) = (Vec::new(), Vec::new());
    for (place, topic) in wanted.iter().enumerate() {
        match (&topic.name, topic.topic_id.is_zero()) {
            (Some(_), true) => name_places.push(place),
            (None, false) => id_places.push(place),
            _ => {
                responses[place].error_code = ErrorCode::INVALID_REQUEST;
                responses[place].error_message = Some("name a topic by its name or by its id, not both".to_owned());
            }
        }
    }
    let access = context.access(&caller);
    if !access.grants(Operation::Delete, Resource::CLUSTER) {
        let authorized = async {
            refuse_names(&context, &access, &mut responses, &mut name_places).await?;
            refuse_ids(&context, &access, &mut responses, &mut id_places).await
        };
        if let Err(error) = authorized.await {
            let error_code = failure::cluster_error(ApiKey::DeleteTopics, &error);
            for place in name_places.into_iter().chain(id_places) {
                responses[place].error_code = error_code;
                responses[place].error_message = Some(error.to_string());
            }
            return DeleteTopicsResponse {
                responses,
                ..Default::default()
            };
        }
    }
    let rpc = proto::DeleteTopicsRequest {
        names: name_places
            .iter()
            .filter_map(|place| wanted[*place].name.clone())
            .collect(),
        topic_ids: id_places
            .iter()
            .map(|place| ids::to_rpc(ids::from_wire(wanted[*place].topic_id)))
            .collect(),
        client: context.named(&caller),
    };
    if name_places.is_empty() && id_places.is_empty() {
        return DeleteTopicsResponse {
            responses,
            ..Default::default()
        };
    }
    let places = name_places.into_iter().chain(id_places);
    match context
        .metadata
        .delete_topics(rpc, timeouts::of_request(request.timeout_ms))
        .await
    {
        Ok(answer) => {
            let deleted: Vec<Uuid> = answer
                .results
                .iter()
                .filter(|result| result.error_code == 0)
                .filter_map(|result| Uuid::from_slice(&result.topic_id).ok())
                .collect();
            context.cache.remove_topics(&deleted);
            for (place, result) in places.zip(answer.results) {
                fill(&mut responses[place], result);
            }
        }
        Err(error) => {
            let error_code = failure::cluster_error(ApiKey::DeleteTopics, &error);
            for place in places {
                responses[place].error_code = error_code;
                responses[place].error_message = Some(error.to_string());
            }
        }
    }
    DeleteTopicsResponse {
        responses,
        ..Default::default()
    }
}

/// Refuses topics named by the client that it may not delete, and removes them from `places`.
async fn refuse_names(
    context: &Context,
    access: &Access,
    responses: &mut [DeletableTopicResult],
    places: &mut Vec<usize>,
) -> Result<(), RpcError> {
    let mut describable = Vec::new();
    places.retain(|place| {
        let name = responses[*place].name.clone().unwrap_or_default();
        let topic = Resource::topic(&name);
        if !access.allows(Operation::Describe, topic) {
            deny(&mut responses[*place]);
        } else if !access.allows(Operation::Delete, topic) {
            describable.push((*place, name));
        } else {
            return true;
        }
        false
    });
    let names: Vec<&str> = describable.iter().map(|(_, name)| name.as_str()).collect();
    let found = context.topics_by_name(&names).await?;
    for ((place, _), found) in describable.iter().zip(found) {
        match found {
            Some(_) => deny(&mut responses[*place]),
            None => responses[*place].error_code = ErrorCode::UNKNOWN_TOPIC_OR_PARTITION,
        }
    }
    Ok(())
}

/// Like [`refuse_names`], for topics given by id.
async fn refuse_ids(
    context: &Context,
    access: &Access,
    responses: &mut [DeletableTopicResult],
    places: &mut Vec<usize>,
) -> Result<(), RpcError> {
    let topic_ids: Vec<Uuid> = places
        .iter()
        .map(|place| ids::from_wire(responses[*place].topic_id))
        .collect();
    let mut found = context.topics_by_id(&topic_ids).await?.into_iter();
    places.retain(|place| {
        let response = &mut responses[*place];
        match found.next().flatten() {
            None => response.error_code = ErrorCode::UNKNOWN_TOPIC_ID,
            Some(topic) if !access.allows(Operation::Delete, Resource::topic(&topic.name)) => {
                if access.shows(Operation::Describe, Resource::topic(&topic.name)) {
                    response.name = Some(topic.name.to_string());
                }
                deny(response);
            }
            Some(_) => return true,
        }
        false
    });
    Ok(())
}

fn deny(response: &mut DeletableTopicResult) {
    response.error_code = ErrorCode::TOPIC_AUTHORIZATION_FAILED;
    response.error_message = Some("the client is not authorized to delete the topic".to_owned());
}

fn fill(response: &mut DeletableTopicResult, result: proto::TopicResult) {
    response.error_code = failure::code(result.error_code);
    response.error_message = failure::message(result.error_message);
    if response.error_code.is_none() {
        response.name = failure::message(result.name).or(response.name.take());
        response.topic_id = ids::rpc_to_wire(&result.topic_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{TestAgent, caller, done, refused, rpc_id, topic, wire_id};

    #[tokio::test]
    async fn deletes_and_forgets_names_and_ids_in_request_order() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1), topic(2, "b", 1)]);
        let results = vec![
            done(topic(1, "a", 1)),
            refused("gone", 3, "no such topic"),
            done(topic(2, "b", 1)),
        ];
        agent
            .metadata
            .answer("DeleteTopics", &proto::DeleteTopicsResponse { results });
        let by_name = |name: &str| DeleteTopicState {
            name: Some(name.to_owned()),
            ..Default::default()
        };
        let by_id = |id| DeleteTopicState {
            name: None,
            topic_id: wire_id(id),
        };
        let both = DeleteTopicState {
            name: Some("a".to_owned()),
            topic_id: wire_id(1),
        };
        let topics = vec![by_id(2), by_name("a"), both, by_name("gone")];
        let answer = handle(
            agent.context(),
            caller(6),
            DeleteTopicsRequest {
                topics,
                ..Default::default()
            },
        )
        .await;
        let seen: Vec<(Option<&str>, ErrorCode)> = answer
            .responses
            .iter()
            .map(|response| (response.name.as_deref(), response.error_code))
            .collect();
        assert_eq!(
            seen,
            [
                (Some("b"), ErrorCode::NONE),
                (Some("a"), ErrorCode::NONE),
                (Some("a"), ErrorCode::INVALID_REQUEST),
                (Some("gone"), ErrorCode::UNKNOWN_TOPIC_OR_PARTITION),
            ]
        );
        let asked = agent.metadata.requests::<proto::DeleteTopicsRequest>("DeleteTopics");
        assert_eq!(
            (&asked[0].names[..], &asked[0].topic_ids[..]),
            (&["a".to_owned(), "gone".to_owned()][..], &[rpc_id(2)][..])
        );
        assert_eq!(agent.context.cache.catalogue().topics().len(), 0);
    }

    #[tokio::test]
    async fn an_unreachable_owner_deletes_nothing() {
        let agent = TestAgent::with_topics(&[topic(1, "a", 1)]);
        let request = DeleteTopicsRequest {
            topic_names: vec!["a".to_owned()],
            ..Default::default()
        };
        let answer = handle(agent.context(), caller(5), request).await;
        assert_eq!(answer.responses[0].error_code, ErrorCode::REQUEST_TIMED_OUT);
        assert!(agent.context.cache.catalogue().topic_by_name("a").is_some());
    }
}
