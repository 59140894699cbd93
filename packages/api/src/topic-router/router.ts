import { router } from '../trpc/trpc.ts';
import { alterTopicConfigs } from './alter-topic-configs.ts';
import { createBrowseToken } from './create-browse-token.ts';
import { createTopic } from './create-topic.ts';
import { deleteTopic } from './delete-topic.ts';

export const topicRouter = router({
  create: createTopic,
  delete: deleteTopic,
  alterConfigs: alterTopicConfigs,
  createBrowseToken,
});
