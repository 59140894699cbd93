// The topics to which members of a `consumer` group subscribe, read from their metadata (ConsumerProtocolSubscription: int16 version, then
// an array of strings, then fields that are not needed here).

import type { Group } from '../state/group.types.ts';
import { groupSubscription } from './subscriptions.ts';

/** The topics of one subscription. Null when the bytes are not one. */
export function subscribedTopics(metadata: Uint8Array): string[] | null {
  const view = new DataView(metadata.buffer, metadata.byteOffset, metadata.byteLength);
  if (metadata.length < 6) {
    return null;
  }
  const count = view.getInt32(2);
  const topics: string[] = [];
  let at = 6;
  for (let topic = 0; topic < count; topic += 1) {
    if (at + 2 > metadata.length) {
      return null;
    }
    const length = view.getInt16(at);
    at += 2;
    if (length < 0 || at + length > metadata.length) {
      return null;
    }
    topics.push(new TextDecoder().decode(metadata.subarray(at, at + length)));
    at += length;
  }
  return count < 0 ? null : topics;
}

/** All topics to which any member subscribes. Null when they cannot be known (another protocol type, unreadable metadata). */
export function groupSubscriptions(group: Group): Set<string> | null {
  if (group.consumer !== null) {
    return groupSubscription(group.consumer);
  }
  if (group.protocolType !== 'consumer') {
    return null;
  }
  const topics = new Set<string>();
  for (const member of group.members.values()) {
    for (const { metadata } of member.protocols) {
      const subscribed = subscribedTopics(metadata);
      if (subscribed === null) {
        return null;
      }
      for (const topic of subscribed) {
        topics.add(topic);
      }
    }
  }
  return topics;
}
