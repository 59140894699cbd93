//! Checks that messages have the same bytes as on the TypeScript side. Both are tested with the same file.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a panic is how a test fails")]

use std::path::PathBuf;

use penstock_metadata_client::proto;
use prost::Message;

/// Decodes and encodes again. The bytes must not change.
fn encoded_again<M: Message + Default>(bytes: &[u8]) -> Vec<u8> {
    M::decode(bytes).unwrap().encode_to_vec()
}

#[test]
fn every_shared_vector_round_trips() {
    let path: PathBuf = [
        env!("CARGO_MANIFEST_DIR"),
        "../../../../packages/metadata-protocol/vectors/messages.json",
    ]
    .iter()
    .collect();
    let vectors: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let text = |field: &str| vector[field].as_str().unwrap().to_owned();
        let (name, message, hex) = (text("name"), text("message"), text("hex"));
        let bytes: Vec<u8> = (0..hex.len())
            .step_by(2)
            .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
            .collect();
        let again = match message.as_str() {
            "RegisterAgentRequest" => encoded_again::<proto::RegisterAgentRequest>(&bytes),
            "RegisterAgentResponse" => encoded_again::<proto::RegisterAgentResponse>(&bytes),
            "Agent" => encoded_again::<proto::Agent>(&bytes),
            "AgentHeartbeatRequest" => encoded_again::<proto::AgentHeartbeatRequest>(&bytes),
            "CommitFileRequest" => encoded_again::<proto::CommitFileRequest>(&bytes),
            "CommitFileResponse" => encoded_again::<proto::CommitFileResponse>(&bytes),
            "TakeDeletionsResponse" => encoded_again::<proto::TakeDeletionsResponse>(&bytes),
            "TakeJobRequest" => encoded_again::<proto::TakeJobRequest>(&bytes),
            "TakeJobResponse" => encoded_again::<proto::TakeJobResponse>(&bytes),
            "CompleteJobRequest" => encoded_again::<proto::CompleteJobRequest>(&bytes),
            "CompleteJobResponse" => encoded_again::<proto::CompleteJobResponse>(&bytes),
            "WatchEvent" => encoded_again::<proto::WatchEvent>(&bytes),
            "ListOffsetsRequest" => encoded_again::<proto::ListOffsetsRequest>(&bytes),
            "ReportTelemetryRequest" => encoded_again::<proto::ReportTelemetryRequest>(&bytes),
            "JoinGroupRequest" => encoded_again::<proto::JoinGroupRequest>(&bytes),
            "AlterConfigsRequest" => encoded_again::<proto::AlterConfigsRequest>(&bytes),
            "AddToTransactionRequest" => encoded_again::<proto::AddToTransactionRequest>(&bytes),
            "AddToTransactionResponse" => encoded_again::<proto::AddToTransactionResponse>(&bytes),
            "EndTransactionRequest" => encoded_again::<proto::EndTransactionRequest>(&bytes),
            "EndTransactionResponse" => encoded_again::<proto::EndTransactionResponse>(&bytes),
            "DescribeTransactionsResponse" => encoded_again::<proto::DescribeTransactionsResponse>(&bytes),
            "ListTransactionsRequest" => encoded_again::<proto::ListTransactionsRequest>(&bytes),
            "DescribeProducersResponse" => encoded_again::<proto::DescribeProducersResponse>(&bytes),
            "AlterClientMetricsRequest" => encoded_again::<proto::AlterClientMetricsRequest>(&bytes),
            "AlterClientMetricsResponse" => encoded_again::<proto::AlterClientMetricsResponse>(&bytes),
            "AlterClientQuotasRequest" => encoded_again::<proto::AlterClientQuotasRequest>(&bytes),
            "CreateAclsRequest" => encoded_again::<proto::CreateAclsRequest>(&bytes),
            other => panic!("vector '{name}' is of {other}, which this test does not know yet: add a line"),
        };
        assert_eq!(again, bytes, "{name}");
    }
}
