/** How soon Patroni notices and acts; ttl_s >= loopWait_s + 2 * retryTimeout_s, or a slow etcd would cost a healthy primary its key. */
export interface PatroniTimes {
  /** A primary that has not renewed its key for this long loses it. */
  ttl_s: number;
  loopWaitS: number;
  retryTimeoutS: number;
}

/**
 * When a commit is answered. 'strict': when both servers have it, so never while there is only one. 'synchronous': the same while there are
 * two; a single one continues by itself. 'asynchronous': when the primary has it.
 */
export type Durability = 'strict' | 'synchronous' | 'asynchronous';
