// The partitions of a classic group's member. The group's leader sends them to the service as bytes in Kafka's consumer
// protocol: int16 version, then an array of topics with an array of partitions each, then data of the assignor.

export interface TopicPartitions {
  topic: string;
  /** The partitions, in ascending order. */
  partitions: number[];
}

/** @returns by topic; empty for bytes of another protocol, such as that of Connect's workers */
export function assignedPartitions(protocolType: string, assignment: Uint8Array): TopicPartitions[] {
  if (protocolType !== 'consumer' || assignment.length === 0) {
    return [];
  }
  const view = new DataView(assignment.buffer, assignment.byteOffset, assignment.byteLength);
  const utf8 = new TextDecoder();
  let at = 0;
  function take(bytes: number): number {
    if (bytes < 0 || at + bytes > view.byteLength) {
      throw new RangeError('The assignment ends too early.');
    }
    at += bytes;
    return at - bytes;
  }
  try {
    take(2);
    const assigned: TopicPartitions[] = [];
    for (let topics = view.getInt32(take(4)); topics > 0; topics -= 1) {
      const nameBytes = view.getInt16(take(2));
      const start = take(nameBytes);
      const topic = utf8.decode(assignment.subarray(start, start + nameBytes));
      const partitions: number[] = [];
      for (let left = view.getInt32(take(4)); left > 0; left -= 1) {
        partitions.push(view.getInt32(take(4)));
      }
      assigned.push({ topic, partitions: partitions.sort((one, other) => one - other) });
    }
    return assigned.sort((one, other) => one.topic.localeCompare(other.topic));
  } catch (error) {
    // The leader is a client, which may send anything. Its members still have to be shown.
    if (error instanceof RangeError) {
      return [];
    }
    throw error;
  }
}
