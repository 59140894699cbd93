// The agents' RPC in TypeScript: generated messages and services, and the names of their headers.
export { type CommitFileColumns, decodeCommitFileColumns } from './commit-file/request-columns.ts';
export { type CommitFileResults, encodeCommitFileResults } from './commit-file/response-bytes.ts';
export * from './gen/penstock/metadata/v1/metadata_pb.js';
export {
  ADDRESS_UNCONFIRMED_HEADER,
  CLUSTER_HEADER,
  CLUSTER_STOPPED_HEADER,
  JOURNAL_POSITION_HEADER,
  OUTCOME_UNKNOWN_HEADER,
  OWNER_URL_HEADER,
} from './headers.ts';
export { aclKey, quotaKey } from './list-keys.ts';
