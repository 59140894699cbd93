// Checks ids as they arrive: each must be 16 raw bytes.
import { Code, ConnectError } from '@connectrpc/connect';
import { ID_BYTES, type Id, limits } from '@penstock/metadata-core';

/** @throws ConnectError invalid_argument that names the field. */
export function checkedId(id: Uint8Array, field: string): Id {
  if (id.length !== ID_BYTES) {
    throw new ConnectError(`${field} must be ${ID_BYTES} bytes (a UUID), not ${id.length}`, Code.InvalidArgument);
  }
  return id;
}

/** @throws ConnectError invalid_argument that names the field and the index. */
export function checkedIds(ids: readonly Uint8Array[], field: string): Id[] {
  return ids.map((id, index) => checkedId(id, `${field}[${index}]`));
}

/** @throws ConnectError invalid_argument when it is empty, or longer than an agent's id may be */
export function checkedAgentId(agentId: string): string {
  if (agentId === '' || agentId.length > limits.MAX_AGENT_FIELD_CHARS) {
    throw new ConnectError(`agent_id must have 1 to ${limits.MAX_AGENT_FIELD_CHARS} characters`, Code.InvalidArgument);
  }
  return agentId;
}

/** @throws ConnectError invalid_argument that names the field and the index. */
export function checkedPartitions(
  partitions: readonly { topicId: Uint8Array; partition: number }[],
  field: string,
): { topicId: Id; partition: number }[] {
  return partitions.map(({ topicId, partition }, index) => ({
    topicId: checkedId(topicId, `${field}[${index}].topic_id`),
    partition,
  }));
}
