// The texts of the rules: title and remedy. The ids are stable, because silences, webhooks and metrics use them.

export const ruleIds = [
  'agents.none',
  'zone.without-agent',
  'metadata.unreachable',
  'metadata.stopped',
  'metadata.fault',
  'object-store.failing',
  'bucket.permission',
  'bucket.lifecycle-rule',
  'landing.fallback',
  'landing.failing',
  'produce.errors',
  'fetch.errors',
  'commit.errors',
  'latency.put-above-usual',
  'latency.commit-above-usual',
  'consumers.stopped',
  'lag.growing',
  'agent.version-unsupported',
  'agent.clock-skew',
  'agent.no-landing-buckets',
  'metering.impossible',
  'metering.unusual',
  'jobs.not-ordered',
  'metadata.memory',
] as const;
export type RuleId = (typeof ruleIds)[number];

export interface RuleText {
  /** The problem in a few words. */
  title: string;
  /** The remedies, most likely cause first. */
  remedy: string;
}

export const ruleTexts: Readonly<Record<RuleId, RuleText>> = {
  'agents.none': {
    title: 'No agents are running',
    remedy:
      'Check whether the agent processes are running and read their last log lines. Common causes are lack of memory, a rejected agent key and no route to the metadata service. Then start an agent with the command on the Connect page. Clients reconnect automatically. No acknowledged record is lost.',
  },
  'zone.without-agent': {
    title: 'A zone has lost its last agent',
    remedy:
      'Start an agent in this zone. Until then, agents in other zones serve its clients, which adds traffic charges between zones. If you no longer use this zone, silence the alert. The issue is resolved automatically after an hour.',
  },
  'metadata.unreachable': {
    title: 'The metadata service isn’t responding for this cluster',
    remedy:
      'This is a problem on our side. Agents keep their data and retry with the same IDs. Producers get retriable errors. If this lasts longer than a few minutes, check the service status or contact us.',
  },
  'metadata.stopped': {
    title: 'The cluster is stopped because acknowledged metadata is missing',
    remedy:
      'This is a problem on our side. The newest journal entries are missing after a failover of the metadata database. An operator must restore them or accept the loss. Keep the agents running and don’t change the bucket. Producers retry, and no objects are deleted in the meantime.',
  },
  'metadata.fault': {
    title: 'The cluster is stopped because of a fault in the metadata service',
    remedy:
      'This is a problem on our side. The service stopped the cluster before it could act on a wrong state. We resume it with a mended release, and nothing is lost. Keep the agents running and don’t change the bucket. Producers retry, and no objects are deleted in the meantime.',
  },
  'object-store.failing': {
    title: 'Object storage fails or doesn’t respond',
    remedy:
      'Check an agent’s log for the error from object storage. “AccessDenied” or 403: the agent’s role lacks s3:PutObject, s3:GetObject or s3:DeleteObject on the bucket, or its credentials have expired. “NoSuchBucket” or a missing object: someone deleted it, or a lifecycle rule of the bucket deletes data files. Timeouts or 5xx: check the provider’s status and the network between the agents and the bucket (VPC endpoint, DNS, proxy). Producers retry automatically.',
  },
  'bucket.permission': {
    title: 'An agent lacks permissions on the bucket',
    remedy:
      'Give the agent’s role s3:PutObject, s3:GetObject and s3:DeleteObject on the objects under the prefix, and s3:ListBucket on the bucket. Also check the bucket policy, the VPC endpoint policy and, for encrypted buckets, the permissions on the key (kms:GenerateDataKey, kms:Decrypt). If the cause names credentials, they have expired or were replaced. Give the agent new ones, or a role instead of keys. If the cause names the clock, note that S3 rejects requests that are off by more than 15 minutes. Without delete permission, no data is lost, but you keep paying for expired data. The agent retries every 10 seconds.',
  },
  'bucket.lifecycle-rule': {
    title: 'A lifecycle rule of the bucket affects data files',
    remedy:
      'Change the rule in the bucket’s settings immediately. Disable it, or give it a prefix that doesn’t cover the cluster’s prefix (clusters/ under the bucket URL’s prefix). Penstock deletes expired data itself. If a rule deletes or archives a data file, consumers can lose records that they haven’t read. You can recover deleted files only if the bucket keeps versions. Restore archived files so that they can be read. Rules that abort incomplete uploads or remove old versions are safe.',
  },
  'landing.fallback': {
    title: 'Agents write around their landing buckets',
    remedy:
      'Records are safe, but producers wait as long as in a standard cluster. Check an agent’s log, or its last errors on its page, for the landing buckets that fail. “AccessDenied” or 403: the agent’s role lacks the statement for directory buckets (s3express:CreateSession). “NoSuchBucket”: the bucket was deleted, or --landing-bucket names it wrongly. Timeouts or 5xx: check the provider’s status in these zones and the VPC endpoint of S3 Express One Zone. Agents try failing buckets again every 10 seconds and return to them by themselves once two work.',
  },
  'landing.failing': {
    title: 'A landing bucket fails',
    remedy:
      'Nothing is lost, and producers don’t wait longer, as long as two landing buckets work. If another one fails, agents write to the standard bucket. Check an agent’s last errors on its page for the bucket and the reason. “AccessDenied” or 403: the agent’s role lacks the statement for directory buckets (s3express:CreateSession). “NoSuchBucket”: the bucket was deleted, or --landing-bucket names it wrongly. Timeouts or 5xx: check the provider’s status in this zone and the VPC endpoint of S3 Express One Zone. Agents try the bucket again every 10 seconds.',
  },
  'produce.errors': {
    title: 'Produce requests are failing',
    remedy:
      'Check the other open issues first. Object storage and the metadata service are the usual causes. If there are none, find the error of each request in the agents’ logs. INVALID_REQUEST for all writes of an agent: check the clock of its machine. CLUSTER_AUTHORIZATION_FAILED: the agent key was revoked. OUT_OF_ORDER_SEQUENCE_NUMBER or INVALID_PRODUCER_EPOCH for all producers: contact us before you restart them.',
  },
  'fetch.errors': {
    title: 'Fetch requests are failing',
    remedy:
      'Check the other open issues first. Object storage and the metadata service are the usual causes. If there are none, check the agents’ logs for missing data files. A lifecycle rule of the bucket may have deleted them.',
  },
  'commit.errors': {
    title: 'Commits to the metadata service are timing out',
    remedy:
      'Check whether the agents can reach the metadata service (DNS, proxy, firewall, TLS) and whether their keys are still active. Producers retry. Agents repeat commits with the same IDs, so nothing is written twice.',
  },
  'latency.put-above-usual': {
    title: 'Writes to object storage are slower than usual',
    remedy:
      'Check the provider’s status, throttling (503 SlowDown) in the agents’ logs, and the agents’ CPU and network. Add agents if their CPU or network is saturated. Adding agents doesn’t help if the bucket is slow.',
  },
  'latency.commit-above-usual': {
    title: 'Commits are slower than usual',
    remedy:
      'Check the network latency between the agents and the metadata service, and the service status. If both are normal, contact us with this event’s ID.',
  },
  'consumers.stopped': {
    title: 'A consumer group has lost all members and its lag is growing',
    remedy:
      'Find out why the consumers stopped, for example a crash, a deployment or a rebalance that removed them. Then start them again. They resume from their committed offsets. If the group is no longer needed, delete it or silence this alert.',
  },
  'lag.growing': {
    title: 'The lag of a consumer group keeps growing',
    remedy:
      'The consumers are slower than the producers. Check their logs and CPU usage. Add consumers, up to one per partition. If only one partition lags, its keys may be uneven or a consumer can’t process a record.',
  },
  'agent.version-unsupported': {
    title: 'An agent runs an unsupported version',
    remedy:
      'Upgrade this agent. You can upgrade agents one at a time without downtime, because clients fail over to other agents.',
  },
  'agent.clock-skew': {
    title: 'An agent’s clock is wrong',
    remedy:
      'Check time synchronization (chrony, systemd-timesyncd or the cloud’s time service) on this machine. Record timestamps come from producers and are not affected. This agent’s logs and end-to-end latencies are inaccurate.',
  },
  'agent.no-landing-buckets': {
    title: 'An agent of a low-latency cluster has no landing buckets',
    remedy:
      'Restart this agent with one --landing-bucket for each of three zones, the same as on the other agents (see Deployment). It needs at least two. Until then, its producers wait as long as in a standard cluster, and its consumers get errors for records that landed less than a minute ago. If you no longer want low latency, change the mode of the cluster.',
  },
  'metering.impossible': {
    title: 'An agent’s metering reports can’t be true',
    remedy:
      'The metadata service refuses these commits, so their producers get errors. Check that this agent runs an unmodified release, and replace it. If you don’t recognize the agent, revoke its key. If the agent is unmodified, contact us.',
  },
  'metering.unusual': {
    title: 'Unusual usage is held for review',
    remedy:
      'Check whether you know why: a load test, a backfill or a new producer. If you don’t, look at the throughput chart for the topic and client, and revoke agent keys and users that you don’t recognize. We don’t charge for these writes until we’ve reviewed them. To speed up the review, reply to the email about them.',
  },
  'jobs.not-ordered': {
    title: 'An agent completed a job that was not handed out',
    remedy:
      'No records were replaced. If you don’t recognize the agent or the key, revoke the key, and check the bucket for objects that your agents didn’t write. A job expires after a day. If unmodified agents of yours keep doing this, contact us.',
  },
  'metadata.memory': {
    title: 'The cluster is close to a metadata limit',
    remedy:
      'Check the Metrics page to see what uses the memory, and remove what you don’t need: consumer groups and their committed offsets, topics with many partitions, transactional IDs. Common causes are consumers that start with a new group ID each time and producers that restart every few seconds. At a limit, requests that need more memory fail (GROUP_MAX_SIZE_REACHED, INVALID_COMMIT_OFFSET_SIZE, POLICY_VIOLATION); everything that exists keeps working. If the cluster needs more, contact us.',
  },
};

/** The texts of a stored finding's rule. A rule of another version shows its id as the title. */
export function textOf(rule: string): RuleText {
  const id = ruleIds.find((known) => known === rule);
  return id === undefined ? { title: rule, remedy: '' } : ruleTexts[id];
}

export function titleOf(rule: string): string {
  return textOf(rule).title;
}
