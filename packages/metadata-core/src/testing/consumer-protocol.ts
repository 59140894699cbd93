// For tests: what classic consumers send inside JoinGroup (ConsumerProtocolSubscription, big-endian).

/** A subscription of version 3 to these topics by a consumer that owns these partitions. */
export function encodeSubscription(
  topics: readonly string[],
  owned: readonly (readonly [topic: string, partitions: readonly number[]])[] = [],
): Uint8Array {
  const bytes: number[] = [];
  const int16 = (value: number): void => void bytes.push((value >> 8) & 0xff, value & 0xff);
  const int32 = (value: number): void => {
    int16(value >> 16);
    int16(value);
  };
  const text = (value: string): void => {
    const utf8 = new TextEncoder().encode(value);
    int16(utf8.length);
    bytes.push(...utf8);
  };
  int16(3);
  int32(topics.length);
  topics.forEach(text);
  // No user data.
  int32(-1);
  int32(owned.length);
  for (const [topic, partitions] of owned) {
    text(topic);
    int32(partitions.length);
    partitions.forEach(int32);
  }
  // The generation, and no rack.
  int32(-1);
  int16(-1);
  return Uint8Array.from(bytes);
}
