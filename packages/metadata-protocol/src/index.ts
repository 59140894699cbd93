// The agents' RPC as TypeScript: generated messages and services, and the names of the headers that go with them.
export { type CommitFileColumns, decodeCommitFileColumns } from './commit-file/request-columns.ts';
export { type CommitFileResults, encodeCommitFileResults } from './commit-file/response-bytes.ts';
export * from './gen/penstock/metadata/v1/metadata_pb.js';
export { clusterHeader, ownerUrlHeader } from './headers.ts';
