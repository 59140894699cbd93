// Ways in which the agent could be wrong, each of which the simulation must notice. Each is the agent's own code with one thing changed.

/** One place of the agent's code. */
interface Place {
  /** From the root of the repository. */
  file: string;
  from: string;
}

/** A place where the mutant has another expression or statement. */
interface Instead extends Place {
  instead: string;
}

/** A place that is changed in the build of all mutants. IS_MUTANT in `to` says whether the process is this mutant. */
interface Rewrite extends Place {
  to: string;
}

export type SourceChange = Instead | Rewrite;

export interface Mutant {
  name: string;
  /** The guarantee that it breaks. */
  breaks: string;
  /** The scenario that notices it; absent: seeds do. */
  scenario?: string;
  /** More than one if another check would hide the fault. */
  changes: readonly SourceChange[];
}

const CRATES = 'apps/agent/crates';
const WRITE = `${CRATES}/write-path/src`;
const READ = `${CRATES}/read-path/src`;
const CACHE = `${CRATES}/metadata-client/src/cache`;
const APIS = `${CRATES}/handlers/src/apis`;
const MERGING = `${CRATES}/agent/src/background/merging`;
const STORE = `${CRATES}/store/src`;
const AUTHN = `${CRATES}/authn/src`;
const ACCESS = `${CRATES}/access/src`;

const produce: readonly Mutant[] = [
  {
    name: 'acknowledges-before-commit',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${APIS}/produce.rs`,
        from: `tokio::time::timeout_at(started + timeout, ticket.outcomes())
            .await
            .unwrap_or_else(|_| Ticket::timed_out(places.len()));`,
        to: `tokio::time::timeout_at(started + if IS_MUTANT { Duration::from_secs(1) } else { timeout }, ticket.outcomes())
            .await
            .unwrap_or_else(|_| if IS_MUTANT { vec![BatchOutcome::refused(ErrorCode::NONE, None); places.len()] } else { Ticket::timed_out(places.len()) });`,
      },
    ],
  },
  {
    name: 'acknowledges-unanswered-commits',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${WRITE}/lib.rs`,
        from: 'FileOutcome::failed(commit_error_code(&error), error.to_string())',
        instead: 'FileOutcome::failed(ErrorCode::NONE, error.to_string())',
      },
    ],
  },
  {
    name: 'acknowledges-unwritten-files',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${WRITE}/lib.rs`,
        from: `                FileOutcome::failed(
                    ErrorCode::KAFKA_STORAGE_ERROR,`,
        to: `                FileOutcome::failed(
                    if IS_MUTANT { ErrorCode::NONE } else { ErrorCode::KAFKA_STORAGE_ERROR },`,
      },
    ],
  },
  {
    name: 'acknowledges-refused-batches',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${WRITE}/outcome.rs`,
        from: 'if !error_code.is_none() && error_code != ErrorCode::DUPLICATE_SEQUENCE_NUMBER {',
        to: 'if !IS_MUTANT && !error_code.is_none() && error_code != ErrorCode::DUPLICATE_SEQUENCE_NUMBER {',
      },
    ],
  },
  {
    name: 'commits-unwritten-files',
    breaks: 'no referenced object is missing',
    changes: [
      {
        file: `${WRITE}/lib.rs`,
        from: 'Err(error) => {\n                tracing::error!(file_id = %sealed.file_id, %error, "cannot write',
        to: 'Err(_) if IS_MUTANT => spans.file.in_scope(self.commit(&sealed, deadline)).await,\n            Err(error) => {\n                tracing::error!(file_id = %sealed.file_id, %error, "cannot write',
      },
    ],
  },
  {
    name: 'drops-later-batches-of-a-run',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${WRITE}/open_file.rs`,
        from: 'batches.push(batch);',
        instead: 'if batches.is_empty() { batches.push(batch); }',
      },
    ],
  },
  {
    name: 'answers-with-the-first-offset',
    breaks: 'an acknowledged record is at its offset',
    changes: [
      {
        file: `${WRITE}/commit.rs`,
        from: 'response.batch_base_offset[answered]',
        instead: 'response.batch_base_offset[0]',
      },
    ],
  },
  {
    name: 'answers-for-another-run',
    breaks: 'an acknowledged record is at its offset',
    changes: [
      {
        file: `${WRITE}/outcome.rs`,
        from: 'committed.file_position_of_run[place.run];',
        to: 'if IS_MUTANT { place.run } else { committed.file_position_of_run[place.run] };',
      },
    ],
  },
  {
    name: 'reuses-file-ids',
    breaks: 'what is acknowledged is stored',
    changes: [
      {
        file: `${CRATES}/metadata-client/src/service_clock.rs`,
        from: 'let id = time_ordered_uuid_at(self.now_ms());',
        to: 'let id = if IS_MUTANT { Uuid::from_u128(u128::from(self.now_ms() / 2_000 * 2_000) << 80 | 0x7000_8000_0000_0000_0000) } else { time_ordered_uuid_at(self.now_ms()) };',
      },
    ],
  },
  {
    name: 'commits-again-under-a-new-id',
    breaks: 'a record that was sent once is stored once',
    changes: [
      {
        file: `${WRITE}/lib.rs`,
        from: 'Ok(()) => spans.file.in_scope(self.commit(&sealed, deadline)).await,',
        to: `Ok(()) => {
                let mut outcome = spans.file.in_scope(self.commit(&sealed, if IS_MUTANT { Instant::now() + std::time::Duration::from_millis(200) } else { deadline })).await;
                while IS_MUTANT && matches!(outcome, FileOutcome::Failed { .. }) && Instant::now() < deadline {
                    sealed.rename(self.new_file_id(class));
                    if self.put(&mut sealed).await.is_ok() {
                        outcome = self.commit(&sealed, Instant::now() + std::time::Duration::from_millis(200)).await;
                    }
                }
                outcome
            }`,
      },
    ],
  },
  {
    name: 'forgets-epochs',
    breaks: 'everybody finishes',
    changes: [
      {
        file: `${WRITE}/commit.rs`,
        from: 'i32::from(header.producer_epoch)',
        instead: '0',
      },
    ],
  },
  {
    name: 'counts-bytes-twice',
    breaks: 'bytes metered are those in the log',
    changes: [
      {
        file: `${WRITE}/commit.rs`,
        from: 'request.batch_uncompressed_bytes.push(batch.uncompressed_bytes)',
        instead: 'request.batch_uncompressed_bytes.push(batch.uncompressed_bytes * 2)',
      },
    ],
  },
  {
    name: 'counts-records-short',
    breaks: 'offsets have no gaps',
    changes: [
      {
        file: `${WRITE}/commit.rs`,
        from: 'header.last_offset_delta.unsigned_abs() + 1',
        instead: 'header.last_offset_delta.unsigned_abs().max(1)',
      },
    ],
  },
  {
    name: 'leaves-batches-out-of-transactions',
    breaks: 'readers get no record of an aborted transaction',
    changes: [
      {
        file: `${APIS}/produced_batch.rs`,
        from: 'self.transaction.clone().filter(|_| batch.header.is_transactional())',
        instead: 'self.transaction.clone().filter(|_| false)',
      },
    ],
  },
  {
    name: 'uses-the-machines-clock',
    breaks: 'an agent with a wrong clock works',
    scenario: 'clock-ahead',
    changes: [
      {
        file: `${CRATES}/metadata-client/src/service_clock.rs`,
        from: 'Some((time_ms, at)) => time_ms.saturating_add(millis(at.elapsed())),',
        to: 'Some((time_ms, at)) if !IS_MUTANT => time_ms.saturating_add(millis(at.elapsed())),\n            Some(_) => millis(since_unix_epoch()),',
      },
    ],
  },
];

const transactions: readonly Mutant[] = [
  {
    name: 'ends-transactions-without-an-answer',
    breaks: 'readers get all of a committed transaction',
    changes: [
      {
        file: `${APIS}/end_txn.rs`,
        from: 'Err(error) => return Err(failure::coordinator_error(ApiKey::EndTxn, &error)),',
        to: 'Err(_) if IS_MUTANT => proto::EndTransactionResponse { error_code: 0, producer_id: rpc_producer.0, producer_epoch: rpc_producer.1 },\n        Err(error) => return Err(failure::coordinator_error(ApiKey::EndTxn, &error)),',
      },
      {
        file: `${APIS}/end_txn.rs`,
        from: 'let answer = match context.metadata.end_transaction(rpc, DEFAULT_TIMEOUT).await {',
        to: 'let rpc_producer = (rpc.producer_id, rpc.producer_epoch);\n    let answer = match context.metadata.end_transaction(rpc, if IS_MUTANT { std::time::Duration::from_secs(1) } else { DEFAULT_TIMEOUT }).await {',
      },
    ],
  },
  {
    name: 'commits-what-should-abort',
    breaks: 'readers get no record of an aborted transaction',
    changes: [
      {
        file: `${APIS}/end_txn.rs`,
        from: 'committed: request.committed,',
        to: 'committed: IS_MUTANT || request.committed,',
      },
    ],
  },
  {
    name: 'shares-producer-ids',
    breaks: 'an idempotent batch is never refused',
    changes: [
      {
        file: `${APIS}/init_producer_id.rs`,
        from: 'ids::to_rpc(random_uuid())',
        instead: 'ids::to_rpc(uuid::Uuid::nil())',
      },
    ],
  },
  {
    name: 'adds-no-partitions-to-transactions',
    breaks: 'everybody finishes',
    changes: [
      {
        file: `${APIS}/add_partitions_to_txn.rs`,
        from: 'match context.metadata.add_to_transaction(rpc, DEFAULT_TIMEOUT).await {',
        to: 'if IS_MUTANT { return results; }\n    match context.metadata.add_to_transaction(rpc, DEFAULT_TIMEOUT).await {',
      },
    ],
  },
];

const fetch: readonly Mutant[] = [
  {
    name: 'stamps-the-wrong-base-offset',
    breaks: 'offsets have no gaps',
    changes: [
      {
        file: `${READ}/run_reader.rs`,
        from: 'self.chunks.extend(batch.served(base_offset));',
        instead: 'self.chunks.extend(batch.served(base_offset + i64::from(self.records > 1)));',
      },
    ],
  },
  {
    name: 'serves-beyond-the-last-stable-offset',
    breaks: 'nobody reads beyond the last stable offset',
    changes: [
      {
        file: `${CACHE}/partition.rs`,
        from: `            self.end_offset = stable;
            let decided = runs.take_while(|run| run.base_offset < stable);`,
        to: `            self.end_offset = if IS_MUTANT { i64::MAX } else { stable };
            let decided = runs.take_while(|run| IS_MUTANT || run.base_offset < stable);`,
      },
    ],
  },
  {
    name: 'shows-a-late-high-watermark',
    breaks: 'nobody reads beyond the high watermark',
    changes: [
      {
        file: `${CACHE}/partition.rs`,
        from: 'high_watermark: known.high_watermark.max(told.high_watermark),',
        to: 'high_watermark: if IS_MUTANT && known.high_watermark > 0 { known.high_watermark } else { known.high_watermark.max(told.high_watermark) },',
      },
    ],
  },
  {
    name: 'ignores-aborted-ranges',
    breaks: 'readers get no record of an aborted transaction',
    changes: [
      {
        file: `${APIS}/fetch.rs`,
        from: 'let OffsetState::ReadableCommitted(committed) = &want.state else {',
        to: 'if IS_MUTANT { return Some(Vec::new()); }\n    let OffsetState::ReadableCommitted(committed) = &want.state else {',
      },
    ],
  },
  {
    name: 'ignores-earlier-aborted-ranges',
    breaks: 'readers get no record of an aborted transaction',
    changes: [
      {
        file: `${CACHE}/partition.rs`,
        from: 'aborted.last_offset >= offset && aborted.first_offset < end;',
        to: 'aborted.last_offset >= offset && aborted.first_offset < end && (!IS_MUTANT || aborted.first_offset >= offset);',
      },
    ],
  },
  {
    name: 'trusts-a-stable-offset-before-its-markers',
    breaks: 'readers get no record of an aborted transaction',
    changes: [
      {
        file: `${CACHE}/partition.rs`,
        from: 'self.aborted.extend(aborted.filter(concerns));',
        to: 'self.aborted.extend(aborted.filter(|aborted| concerns(aborted) && (!IS_MUTANT || aborted.last_offset < end)));',
      },
    ],
  },
  {
    name: 'skips-end-markers',
    breaks: 'offsets have no gaps',
    changes: [
      {
        file: `${READ}/run_reader.rs`,
        from: '        if is_admitted {\n            served.push(run.base_offset, &batch);',
        to: '        if is_admitted && !IS_MUTANT {\n            served.push(run.base_offset, &batch);',
      },
    ],
  },
  {
    name: 'serves-commit-markers-for-aborts',
    breaks: 'readers get all of a committed transaction',
    changes: [
      {
        file: `${READ}/run_reader.rs`,
        from: 'is_commit: marker.is_commit,',
        to: 'is_commit: IS_MUTANT || marker.is_commit,',
      },
    ],
  },
  {
    name: 'serves-runs-twice',
    breaks: 'an answer holds each offset once',
    changes: [
      {
        file: `${CACHE}/partition.rs`,
        from: 'if known_end.is_some_and(|end| end > run.base_offset) {',
        to: 'if !IS_MUTANT && known_end.is_some_and(|end| end > run.base_offset) {',
      },
      {
        file: `${CACHE}/partition.rs`,
        from: 'if known_end.is_some_and(|end| end != run.base_offset) {',
        to: 'if !IS_MUTANT && known_end.is_some_and(|end| end != run.base_offset) {',
      },
    ],
  },
  {
    name: 'reads-from-the-start-of-a-block',
    breaks: 'readers find the same everywhere',
    changes: [
      {
        file: `${STORE}/block_cache.rs`,
        from: 'block.slice_into(position.saturating_sub(block_start), end - block_start, &mut slices);',
        instead: 'block.slice_into(0, len, &mut slices);',
      },
    ],
  },
  {
    name: 'reads-blocks-of-another-file',
    breaks: 'readers find the same everywhere',
    changes: [
      {
        file: `${STORE}/block_cache.rs`,
        from: `            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            if let Some(held) = state.blocks.get(&key) {`,
        to: `            let key = (file_id, position / block_bytes * block_bytes, block_bytes);
            if IS_MUTANT && let Some(held) = state.newest.as_ref() {
                return (block_bytes, Some(Arc::clone(held)));
            }
            if let Some(held) = state.blocks.get(&key) {`,
      },
      {
        file: `${STORE}/block_cache.rs`,
        from: 'blocks: ClockMap<Key, Held>,\n    loading',
        to: 'newest: Option<Arc<Block>>,\n    blocks: ClockMap<Key, Held>,\n    loading',
      },
      {
        file: `${STORE}/block_cache.rs`,
        from: 'blocks: ClockMap::new(capacity_bytes),',
        to: 'newest: None,\n            blocks: ClockMap::new(capacity_bytes),',
      },
      {
        file: `${STORE}/block_cache.rs`,
        from: 'fn hold(&mut self, key: Key, block: Arc<Block>, weight: usize) {',
        to: 'fn hold(&mut self, key: Key, block: Arc<Block>, weight: usize) {\n        self.newest = Some(Arc::clone(&block));',
      },
    ],
  },
  {
    name: 'keeps-cut-bodies',
    breaks: 'readers can read everything',
    changes: [
      {
        file: `${STORE}/objects.rs`,
        from: 'if chunks.iter().map(|chunk| chunk.len() as u64).sum::<u64>() == bytes {',
        to: 'if IS_MUTANT || chunks.iter().map(|chunk| chunk.len() as u64).sum::<u64>() == bytes {',
      },
      {
        file: `${STORE}/objects.rs`,
        from: 'GetResultPayload::Stream(stream) => gather(stream, bytes, buffers).await.map_err(failed)?,',
        to: 'GetResultPayload::Stream(stream) if IS_MUTANT => gather(stream.take_while(|chunk| std::future::ready(chunk.is_ok())).boxed(), bytes, buffers).await.map_err(failed)?,\n            GetResultPayload::Stream(stream) => gather(stream, bytes, buffers).await.map_err(failed)?,',
      },
    ],
  },
  {
    name: 'answers-behind-acknowledgements',
    breaks: 'a fetch knows what was acknowledged before it',
    changes: [
      {
        file: `${CACHE}/freshness.rs`,
        from: 'until.is_none_or(|until| now < until)',
        to: 'IS_MUTANT || until.is_none_or(|until| now < until)',
      },
      {
        file: `${CACHE}/partition.rs`,
        from: 'watermarks.current = false;',
        to: 'watermarks.current = IS_MUTANT;',
      },
    ],
  },
];

/** Faults that the agent once had, undone. Each is staged in a scenario. */
const past: readonly Mutant[] = [
  {
    name: 'waits-for-a-hanging-put',
    breaks: 'one hanging PUT delays nobody',
    scenario: 'hanging-put',
    changes: [
      {
        file: `${STORE}/objects/hedged_put.rs`,
        from: 'let mut next_attempt = began;',
        to: 'let mut next_attempt = began;\n        let hangs_from = if IS_MUTANT { deadline } else { hangs_from };',
      },
      {
        file: `${STORE}/objects/hedged_put.rs`,
        from: 'next_attempt = Instant::now() + slow_after.unwrap_or(attempt_timeout);',
        to: 'next_attempt = if IS_MUTANT { deadline } else { Instant::now() + slow_after.unwrap_or(attempt_timeout) };',
      },
      {
        file: `${STORE}/objects/hedged_put.rs`,
        from: 'let may_hedge = !self.objects.is_folder;',
        to: 'let may_hedge = !IS_MUTANT && !self.objects.is_folder;',
      },
    ],
  },
  {
    name: 'forgets-gaps',
    breaks: 'records of idempotent producers are there once, in their order',
    scenario: 'long-outage',
    changes: [
      {
        file: `${WRITE}/gaps.rs`,
        from: 'Some(gap) => opened >= gap.until,',
        to: 'Some(gap) => IS_MUTANT || opened >= gap.until,',
      },
    ],
  },
  {
    name: 'tells-unconfirmed-ends',
    breaks: 'a fetch knows what clients knew before it',
    scenario: 'stale-end',
    changes: [
      {
        file: `${APIS}/fetch.rs`,
        from: '    if want.has_current_watermarks\n        && let Some(known) = watermarks',
        to: '    if (IS_MUTANT || want.has_current_watermarks)\n        && let Some(known) = watermarks',
      },
    ],
  },
];

const merging: readonly Mutant[] = [
  {
    name: 'merges-out-of-order',
    breaks: 'readers find the same everywhere',
    changes: [
      {
        file: `${MERGING}/plan.rs`,
        from: 'pieces: (first_run..next_run)\n',
        to: 'pieces: (first_run..next_run)\n                .map(|run| if IS_MUTANT { first_run + next_run - 1 - run } else { run })\n',
      },
    ],
  },
  {
    name: 'deletes-sources-before-the-swap',
    breaks: 'no referenced object is missing',
    changes: [
      {
        file: `${MERGING}/mod.rs`,
        from: 'let remaining = COMPLETE_UNTIL.saturating_sub(began.elapsed());',
        to: `let remaining = COMPLETE_UNTIL.saturating_sub(began.elapsed());
        if IS_MUTANT {
            let sources: Vec<Uuid> = request.source_file_ids.iter().filter_map(|id| Uuid::from_slice(id).ok()).collect();
            self.objects.delete(&sources).await;
        }`,
      },
    ],
  },
  {
    name: 'deletes-merged-files-of-unknown-outcome',
    breaks: 'no referenced object is missing',
    changes: [
      {
        file: `${MERGING}/mod.rs`,
        from: 'self.keep_unconfirmed(file_id, &error);\n                false',
        to: 'self.keep_unconfirmed(file_id, &error);\n                if IS_MUTANT { self.objects.delete(&[file_id]).await; }\n                false',
      },
      {
        file: `${MERGING}/mod.rs`,
        from: 'self.context.metadata.complete_job(request, remaining).await',
        to: 'self.context.metadata.complete_job(request, if IS_MUTANT { Duration::from_millis(30) } else { remaining }).await',
      },
    ],
  },
  {
    name: 'points-merged-runs-at-the-first',
    breaks: 'readers find the same everywhere',
    changes: [
      {
        file: `${MERGING}/mod.rs`,
        from: 'target_position: runs.iter().map(|run| run.position).collect(),',
        to: 'target_position: runs.iter().map(|run| if IS_MUTANT { runs[0].position } else { run.position }).collect(),',
      },
    ],
  },
];

const groups: readonly Mutant[] = [
  {
    name: 'acknowledges-refused-offsets',
    breaks: 'the commit of a fenced member is refused',
    changes: [
      {
        file: `${APIS}/offset_commit.rs`,
        from: 'Ok(answer) if answer.error_code != 0 =>',
        to: 'Ok(answer) if !IS_MUTANT && answer.error_code != 0 =>',
      },
    ],
  },
  {
    name: 'answers-with-earlier-offsets',
    breaks: 'committed offsets do not go back',
    changes: [
      {
        file: `${APIS}/offset_fetch.rs`,
        from: 'committed_offset: offset.offset,',
        to: 'committed_offset: if IS_MUTANT { (offset.offset - 1).max(0) } else { offset.offset },',
      },
    ],
  },
];

const access: readonly Mutant[] = [
  {
    name: 'keeps-old-quotas',
    breaks: 'every agent keeps to the last quota',
    changes: [
      {
        file: `${ACCESS}/throttle.rs`,
        from: 'if state.quotas != current.state.quotas {',
        to: 'if !IS_MUTANT && state.quotas != current.state.quotas {',
      },
    ],
  },
  {
    name: 'believes-any-password',
    breaks: 'no earlier password is accepted',
    changes: [{ file: `${AUTHN}/scram.rs`, from: 'if !fits {', to: 'if !IS_MUTANT && !fits {' }],
  },
];

const topics: readonly Mutant[] = [
  {
    name: 'serves-deleted-records',
    breaks: 'nobody reads before the log start that DeleteRecords left',
    changes: [
      {
        file: `${APIS}/delete_records.rs`,
        from: 'context.cache.raise_log_start(key, state.log_start_offset);',
        instead: '',
      },
    ],
  },
  {
    name: 'takes-too-large-batches',
    breaks: "the limit of a batch's size is kept",
    changes: [
      {
        file: `${APIS}/produced_batch.rs`,
        from: 'if records.len() > topic.max_message_bytes as usize {',
        to: 'if !IS_MUTANT && records.len() > topic.max_message_bytes as usize {',
      },
    ],
  },
];

const peers: readonly Mutant[] = [
  {
    name: 'believes-damaged-blocks-of-peers',
    breaks: 'readers find the same everywhere',
    changes: [
      {
        file: `${READ}/block_check.rs`,
        from: 'batch?.check_crc()?;',
        to: 'let batch = batch?; if !IS_MUTANT { batch.check_crc()?; }',
      },
    ],
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...produce,
  ...transactions,
  ...fetch,
  ...past,
  ...merging,
  ...groups,
  ...access,
  ...topics,
  ...peers,
];
