// A metadata service for tests: topics by name, and a switch that makes it unreachable.
import { create } from '@bufbuild/protobuf';
import { type ClusterView, ClusterViewSchema, TopicResultSchema } from '@penstock/metadata-protocol';
import { AppError } from '@penstock/platform';
import type { MetadataAdmin } from '../metadata/metadata-admin.ts';

export interface FakeMetadata extends MetadataAdmin {
  readonly topics: Set<string>;
  isDown: boolean;
}

export function createFakeMetadata(): FakeMetadata {
  const topics = new Set<string>();

  function reach(): void {
    if (!fake.isDown) return;
    throw new AppError({ kind: 'unavailable', code: 'metadata_unavailable', message: 'The metadata service is away.' });
  }

  function view(clusterId: string): ClusterView {
    reach();
    return create(ClusterViewSchema, { clusterId, topics: [...topics].map((name) => ({ topic: { name } })) });
  }

  const fake: FakeMetadata = {
    topics,
    isDown: false,
    getClusterView: async (clusterId) => view(clusterId),
    async *watchClusterView(clusterId) {
      yield view(clusterId);
    },
    async createTopics(_clusterId, wanted) {
      reach();
      return wanted.map(({ name, partitions }) => {
        if (topics.has(name)) return create(TopicResultSchema, { name, errorCode: 36, errorMessage: 'exists' });
        topics.add(name);
        return create(TopicResultSchema, { name, topic: { name, partitions: partitions === -1 ? 12 : partitions } });
      });
    },
    async deleteTopics(_clusterId, names) {
      reach();
      return names.map((name) => create(TopicResultSchema, { name, errorCode: topics.delete(name) ? 0 : 3 }));
    },
    close: () => undefined,
  };
  return fake;
}
