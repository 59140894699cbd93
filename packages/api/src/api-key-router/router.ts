import { router } from '../trpc/trpc.ts';
import { createApiKey } from './create-api-key.ts';
import { getCurrentApiKey } from './get-current-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { rotateApiKey } from './rotate-api-key.ts';

export const apiKeyRouter = router({
  create: createApiKey,
  list: listApiKeys,
  current: getCurrentApiKey,
  rotate: rotateApiKey,
  revoke: revokeApiKey,
});
