// Everything else that a cluster hears: topics, truncation, retention, deletion of files, minutes.
import type { DeleteRecordsAnswer, TakeDeletionsAnswer, TopicResults } from '@penstock/metadata-core';
import { fileName, type SimTopic, type World } from '../world.ts';
import type { Producers } from './producers.ts';

const MAX_TOPICS = 4;
const TOPIC_ALREADY_EXISTS = 36;
const UNKNOWN_TOPIC_ID = 100;

export class Admin {
  readonly #world: World;
  readonly #producers: Producers;
  #created = 0;
  /** A topic whose deletion was asked for and not yet acknowledged. */
  #doomed: SimTopic | null = null;
  /** A topic that was asked for and not yet acknowledged. */
  #wanted: { name: string; id: Uint8Array; partitions: number } | null = null;

  constructor(world: World, producers: Producers) {
    this.#world = world;
    this.#producers = producers;
  }

  async step(): Promise<void> {
    const { random, topics, nowMs } = this.#world;
    if (this.#doomed !== null || (topics.length === MAX_TOPICS && random.chance(0.1))) {
      return this.#deleteTopic();
    }
    if (topics.length === 0 || (topics.length < MAX_TOPICS && random.chance(0.3))) {
      return this.#createTopic();
    }
    switch (random.below(6)) {
      case 0:
        return this.#deleteRecords();
      case 1:
        return this.#deleteFiles();
      case 2:
        return this.#world.submit({ kind: 'expire-retention' }, () => {});
      case 3:
        return this.#world.submit({ kind: 'expire-offsets' }, () => {});
      case 4: {
        const minute = Math.floor(nowMs / 60_000);
        return this.#world.submit({ kind: 'minute-mark', minute, aliveAgentIds: ['agent'] }, () => {});
      }
      default:
        return this.#world.submit(
          { kind: 'update-settings', settings: { defaultPartitions: 1 + random.below(4) } },
          () => {},
        );
    }
  }

  async #createTopic(): Promise<void> {
    const { random, topics, auditor } = this.#world;
    if (this.#wanted === null) {
      this.#created += 1;
    }
    const wanted = this.#wanted ?? {
      name: `topic${this.#created}`,
      id: random.id(),
      partitions: 1 + random.below(3),
    };
    this.#wanted = wanted;
    const configs = [{ name: 'retention.ms', value: '-1' }];
    const topic = { name: wanted.name, topicId: wanted.id, partitions: wanted.partitions, configs };
    await this.#world.submit<TopicResults>({ kind: 'create-topics', topics: [topic], validateOnly: false }, (heard) => {
      const code = heard.kind === 'answer' ? heard.answer.results[0]?.errorCode : undefined;
      // It exists already: an earlier request was not lost, only its answer.
      if ((code === 0 || code === TOPIC_ALREADY_EXISTS) && this.#wanted === wanted) {
        this.#wanted = null;
        topics.push(wanted);
        auditor.topicAcknowledged(wanted.name);
      }
    });
  }

  async #deleteTopic(): Promise<void> {
    const { random, topics, auditor } = this.#world;
    const topic = this.#doomed ?? random.pick(topics);
    if (topic === undefined) {
      return;
    }
    if (this.#doomed === null) {
      this.#doomed = topic;
      topics.splice(topics.indexOf(topic), 1);
      this.#producers.abandon(topic);
      auditor.topicDeletionAsked(topic.name);
    }
    await this.#world.submit<TopicResults>({ kind: 'delete-topics', names: [], topicIds: [topic.id] }, (heard) => {
      const code = heard.kind === 'answer' ? heard.answer.results[0]?.errorCode : undefined;
      if (code === 0) {
        auditor.topicDeletionAcknowledged(topic.name);
      }
      // Unknown: an earlier request was not lost, only its answer; or this owner is stale and never knew the topic. No promise follows.
      if ((code === 0 || code === UNKNOWN_TOPIC_ID) && this.#doomed === topic) {
        this.#doomed = null;
      }
    });
  }

  async #deleteRecords(): Promise<void> {
    const { random, auditor } = this.#world;
    const known = random.pick(this.#producers.acknowledged);
    if (known === undefined) {
      return;
    }
    const { topic, partition, offset } = known;
    auditor.logs.truncationAsked(topic.name, partition, offset);
    const partitions = [{ topicId: topic.id, partition, beforeOffset: offset }];
    await this.#world.submit<DeleteRecordsAnswer>({ kind: 'delete-records', partitions }, (heard) => {
      const state = heard.kind === 'answer' ? heard.answer.states[0] : undefined;
      if (state?.errorCode === 0) {
        auditor.logs.truncationAcknowledged(topic.name, partition, offset);
      }
    });
  }

  /** An agent deletes what it is told is dead, and confirms it. */
  async #deleteFiles(): Promise<void> {
    const { auditor, random } = this.#world;
    const take = { kind: 'take-deletions', maxFiles: 1 + random.below(20) } as const;
    let fileIds: Uint8Array[] = [];
    await this.#world.submit<TakeDeletionsAnswer>(take, (heard) => {
      fileIds = heard.kind === 'answer' ? heard.answer.fileIds : [];
      for (const fileId of fileIds) {
        auditor.logs.deleted(fileName(fileId));
      }
    });
    await this.#world.flush(false);
    if (fileIds.length > 0) {
      await this.#world.submit({ kind: 'confirm-deletions', fileIds }, () => {});
    }
  }
}
