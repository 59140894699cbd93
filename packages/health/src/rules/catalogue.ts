// The rules by name: what each says and what to do about it. The ids are stable: silences, webhooks and metrics name them.

export const ruleIds = [
  'agents.none',
  'zone.without-agent',
  'metadata.unreachable',
  'object-store.failing',
  'bucket.permission',
  'bucket.lifecycle-rule',
  'produce.errors',
  'fetch.errors',
  'commit.errors',
  'latency.put-above-usual',
  'latency.commit-above-usual',
  'consumers.stopped',
  'lag.growing',
  'agent.version-unsupported',
  'agent.clock-skew',
] as const;
export type RuleId = (typeof ruleIds)[number];

export interface RuleText {
  /** What is the matter, in a few words. */
  title: string;
  /** What to do, most likely cause first. */
  remedy: string;
}

export const ruleTexts: Readonly<Record<RuleId, RuleText>> = {
  'agents.none': {
    title: 'No agent is alive',
    remedy:
      'Look whether the agents’ processes run and what their last log lines say (out of memory, a refused agent key, no route to the metadata service), then start one with the command of the Connect page. Clients reconnect by themselves; nothing acknowledged is lost.',
  },
  'zone.without-agent': {
    title: 'A zone has lost its last agent',
    remedy:
      'Start an agent in this zone. Until then its clients are served from other zones, which works but costs traffic between zones. If the zone was given up on purpose, this ends by itself after an hour; silence it meanwhile.',
  },
  'metadata.unreachable': {
    title: 'The metadata service does not answer for this cluster',
    remedy:
      'This is on our side: agents keep what they have and retry with the same ids, and producers get errors that they retry. If it lasts longer than a few minutes, look at the status of the service or write to us.',
  },
  'object-store.failing': {
    title: 'The object storage fails or does not answer',
    remedy:
      'Look into an agent’s log for the words of the object storage. “AccessDenied” or 403: the agent’s role lacks s3:PutObject, s3:GetObject or s3:DeleteObject on the bucket, or its credentials ran out. “NoSuchBucket” or a missing object: somebody removed it, or a lifecycle rule of the bucket deletes data files. Time-outs or 5xx: look at the provider’s status and at the network between the agents and the bucket (VPC endpoint, DNS, proxy). Producers retry by themselves.',
  },
  'bucket.permission': {
    title: 'The bucket refuses what an agent needs',
    remedy:
      'Give the agent’s role s3:PutObject, s3:GetObject and s3:DeleteObject on the bucket’s objects below the prefix, and s3:ListBucket on the bucket itself; look at the bucket policy, at the policy of the VPC endpoint and, for encrypted buckets, at the rights on the key (kms:GenerateDataKey, kms:Decrypt). Named credentials as the cause: they ran out or were replaced; give the agent new ones, or a role instead of keys. Named the clock: S3 refuses requests that are more than 15 minutes off. Without delete, nothing is lost, but expired data stays and costs. The agent tries again every 10 seconds.',
  },
  'bucket.lifecycle-rule': {
    title: 'A lifecycle rule of the bucket touches data files',
    remedy:
      'Change the rule in the bucket’s settings at once: give it a prefix that does not cover the cluster’s (clusters/ below the bucket URL’s prefix), or disable it. Retention is Penstock’s: it deletes what has expired itself, and a file that disappears or goes to an archive takes records with it that consumers can still ask for. What was deleted comes back only where the bucket keeps versions; what was archived has to be restored before it can be read. Rules that abort unfinished uploads or remove old versions do no harm.',
  },
  'produce.errors': {
    title: 'Produce requests fail',
    remedy:
      'Look at the other findings first: object storage and metadata service are the usual causes. If there are none, the agents’ logs name the error of each request. INVALID_REQUEST for all writes of an agent: look at the clock of its machine. CLUSTER_AUTHORIZATION_FAILED: its agent key was revoked. OUT_OF_ORDER_SEQUENCE_NUMBER or INVALID_PRODUCER_EPOCH for all producers: write to us before you restart them.',
  },
  'fetch.errors': {
    title: 'Fetch requests fail',
    remedy:
      'Look at the other findings first: object storage and metadata service are the usual causes. If there are none, look in the agents’ logs for data files that are missing: a lifecycle rule of the bucket may delete them.',
  },
  'commit.errors': {
    title: 'Agents get no answer to their commits',
    remedy:
      'Look whether the agents reach the metadata service (DNS, proxy, firewall, TLS) and whether their keys are still good. Producers retry; commits are repeated with the same ids, so nothing is written twice.',
  },
  'latency.put-above-usual': {
    title: 'Writing to the object storage takes longer than usual',
    remedy:
      'Look at the provider’s status, at throttling (503 SlowDown) in the agents’ logs, and at the agents’ CPU and network. More agents help when theirs is used up; they do not help when the bucket is slow.',
  },
  'latency.commit-above-usual': {
    title: 'Commits take longer than usual',
    remedy:
      'Look at the round trip between the agents and the metadata service, and at its status. If both are as always, write to us with this event’s id.',
  },
  'consumers.stopped': {
    title: 'A consumer group has no members any more, and its lag grows',
    remedy:
      'Look why the consumers stopped (a crash, a deployment, a rebalance that throws them out) and start them again: they go on where they left off. If the group has ended for good, delete it, or silence this rule.',
  },
  'lag.growing': {
    title: 'The lag of a consumer group keeps growing',
    remedy:
      'Its consumers are slower than its producers. Look at their logs and their CPU; add consumers, up to one per partition. If one partition alone lags, its keys are uneven or a record cannot be processed.',
  },
  'agent.version-unsupported': {
    title: 'An agent runs a version that is not supported any more',
    remedy: 'Upgrade this agent. One after the other is safe: clients move to another one meanwhile.',
  },
  'agent.clock-skew': {
    title: 'An agent’s clock is wrong',
    remedy:
      'Look at time synchronization (chrony, systemd-timesyncd, the cloud’s time service) on this machine. Records keep the timestamps of their producers; logs and end-to-end latencies of this agent are off.',
  },
};

/** What a stored finding's rule says; one that another version knew keeps its id as its title. */
export function textOf(rule: string): RuleText {
  const id = ruleIds.find((known) => known === rule);
  return id === undefined ? { title: rule, remedy: '' } : ruleTexts[id];
}

export function titleOf(rule: string): string {
  return textOf(rule).title;
}
