//! Deletes unreferenced data files.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use penstock_handlers::Context;
use penstock_metadata_client::cache::uuid_from_bytes;
use penstock_metadata_client::{DEFAULT_TIMEOUT, RpcError, proto};
use penstock_store::Objects;

const PERIOD: Duration = Duration::from_secs(10);
const FILES_PER_TURN: u32 = 500;

/// Polls for work every 10 seconds, and without a pause while there is more.
pub(crate) async fn run(context: Arc<Context>, objects: Arc<Objects>) {
    loop {
        match delete_some(&context, &objects).await {
            Ok(0) => tokio::time::sleep(PERIOD).await,
            Ok(deleted) => tracing::debug!(deleted, "deleted unreferenced data files"),
            Err(error) => {
                tracing::debug!(%error, "cannot request data files to delete");
                tokio::time::sleep(PERIOD).await;
            }
        }
    }
}

/// Deletes one batch of files and confirms those that are gone. Returns how many files were deleted.
pub(crate) async fn delete_some(context: &Context, objects: &Objects) -> Result<usize, RpcError> {
    let agent_id = context.node.agent_id.clone();
    let request = proto::TakeDeletionsRequest {
        agent_id,
        max_files: FILES_PER_TURN,
    };
    let taken = context.metadata.take_deletions(request, DEFAULT_TIMEOUT).await?;
    let file_ids: Vec<_> = taken.file_ids.iter().filter_map(|id| uuid_from_bytes(id)).collect();
    if file_ids.is_empty() {
        return Ok(0);
    }
    let gone = objects.delete(&file_ids).await;
    if !gone.is_empty() {
        let file_ids = gone.iter().map(|id| Bytes::copy_from_slice(id.as_bytes())).collect();
        context
            .metadata
            .confirm_deletions(proto::ConfirmDeletionsRequest { file_ids }, DEFAULT_TIMEOUT)
            .await?;
    }
    Ok(gone.len())
}
