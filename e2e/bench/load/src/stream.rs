//! Producers and consumers at once: records are read while they are written.

use tokio::task::LocalSet;

use crate::connection::LoadError;
use crate::consume::Tail;
use crate::produce;
use crate::topic::Target;

#[derive(clap::Args)]
pub struct Settings {
    #[command(flatten)]
    produce: produce::Settings,
    /// Consumers that share the partitions, each with a connection of its own
    #[arg(long)]
    consumers: i32,
    /// How often every record is read, each time by so many consumers
    #[arg(long, default_value_t = 1)]
    fan_out: i32,
}

pub async fn run(target: &Target, settings: &Settings) -> Result<serde_json::Value, LoadError> {
    let records = settings.produce.all_records();
    LocalSet::new()
        .run_until(async {
            let tail = Tail::start(target, settings.consumers, settings.fan_out, records).await?;
            let mut result =
                produce::run_here(target, &settings.produce, || tail.measure()).await?;
            let read = tail.finish().await?;
            if let (Some(result), Some(read)) = (result.as_object_mut(), read.as_object()) {
                result.extend(read.clone());
            }
            Ok(result)
        })
        .await
}
