// The operator: creates and deletes topics, truncates them, and changes their retention and cleanup policy.
import type { SimTopic } from '../agents/agent.ts';
import { CallFailed } from '../agents/metadata-client.ts';
import type { World } from '../world.ts';

const MAX_TOPICS = 3;
const THINK_MOST_MS = 4_000;
const TOPIC_ALREADY_EXISTS = 36;
const OFFSET_OUT_OF_RANGE = 1;
const UNKNOWN_TOPIC_ID = 100;

export class Operator {
  readonly #world: World;
  isFinishing = false;
  /** Whether none of its requests is still open. */
  isIdle = false;
  #created = 0;

  constructor(world: World) {
    this.#world = world;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { scheduler, random, topics } = this.#world;
    while (!this.isFinishing) {
      try {
        const topic = random.pick(topics);
        if (topic === undefined || (topics.length < MAX_TOPICS && random.chance(0.3))) {
          await this.#createTopic();
        } else if (random.chance(0.04)) {
          await this.#deleteTopic(topic);
        } else if (random.chance(0.4)) {
          await this.#truncate(topic);
        } else if (random.chance(0.1)) {
          await this.#setRetention(topic);
        } else if (random.chance(0.25)) {
          await this.#setPolicy(topic);
        }
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
      await scheduler.sleep(1 + random.below(THINK_MOST_MS));
    }
    this.isIdle = true;
  }

  async #createTopic(): Promise<void> {
    const { random, topics, auditor } = this.#world;
    this.#created += 1;
    const name = `topic${this.#created}`;
    const partitions = 1 + random.below(3);
    const configs = [{ name: 'retention.ms', value: '-1' }];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      try {
        const { client } = this.#world.anyAgent();
        const { results } = await client.call('createTopics', { topics: [{ name, partitions, configs }] });
        const [result] = results;
        if (result?.errorCode === TOPIC_ALREADY_EXISTS) {
          // An earlier request was not lost, only its answer.
          const described = await client.call('describeCluster', { topicNames: [name] });
          const [found] = described.topics;
          if (found !== undefined) {
            topics.push({ id: found.topicId, name, partitions });
            auditor.topicAcknowledged(idText(found.topicId));
          }
          return;
        }
        if (result?.errorCode === 0 && result.topicId.length > 0) {
          topics.push({ id: result.topicId, name, partitions });
          auditor.topicAcknowledged(idText(result.topicId));
          return;
        }
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
    }
  }

  async #deleteTopic(topic: SimTopic): Promise<void> {
    const { topics, auditor } = this.#world;
    topics.splice(topics.indexOf(topic), 1);
    auditor.topicDeletionAsked(topic.name, idText(topic.id));
    for (let attempt = 0; attempt < 20; attempt += 1) {
      try {
        const { results } = await this.#world.anyAgent().client.call('deleteTopics', { topicIds: [topic.id] });
        const code = results[0]?.errorCode;
        if (code === 0 || code === UNKNOWN_TOPIC_ID) {
          auditor.topicDeletionAcknowledged(idText(topic.id));
          return;
        }
      } catch (error) {
        if (!(error instanceof CallFailed)) {
          throw error;
        }
      }
    }
  }

  async #truncate(topic: SimTopic): Promise<void> {
    const { random, auditor } = this.#world;
    const partition = random.below(topic.partitions);
    const known = auditor.logs.shownHighWatermark(topic.name, partition);
    if (known === 0) {
      return;
    }
    const offset = random.below(known + 1);
    auditor.logs.truncationAsked(topic.name, partition, offset);
    const partitions = [{ topicId: topic.id, partition, beforeOffset: BigInt(offset) }];
    const { states } = await this.#world.anyAgent().client.call('deleteRecords', { partitions });
    const code = states[0]?.errorCode;
    if (code === 0) {
      auditor.logs.truncationAcknowledged(topic.name, partition, offset);
    } else if (code === OFFSET_OUT_OF_RANGE) {
      this.#world.guard(() => auditor.logs.truncationRefused(topic.name, partition, offset));
    }
  }

  async #setRetention(topic: SimTopic): Promise<void> {
    const { random, auditor } = this.#world;
    auditor.logs.retentionAsked(topic.name, topic.partitions);
    const [name, value] = random.chance(0.5)
      ? ['retention.ms', String(5_000 + random.below(120_000))]
      : ['retention.bytes', String(500 + random.below(3_000))];
    const ops = [{ kind: 0, name, value }];
    await this.#world.anyAgent().client.call('alterConfigs', { topics: [{ name: topic.name, ops }] });
  }
  /** Usually turns compaction on, and off again now and then. */
  async #setPolicy(topic: SimTopic): Promise<void> {
    const { random, auditor } = this.#world;
    auditor.logs.compactionAsked(topic.name, topic.partitions);
    const ops = [
      { kind: 0, name: 'cleanup.policy', value: random.chance(0.8) ? 'compact,delete' : 'delete' },
      { kind: 0, name: 'min.cleanable.dirty.ratio', value: random.chance(0.5) ? '0.1' : '0.5' },
    ];
    await this.#world.anyAgent().client.call('alterConfigs', { topics: [{ name: topic.name, ops }] });
  }
}

function idText(id: Uint8Array): string {
  return Buffer.from(id).toString('hex');
}
