// What the judge can find.

export type AnomalyKind =
  /** Acknowledged, and not there in the end. */
  | 'lost'
  /** One record at two offsets. */
  | 'doubled'
  /** One record acknowledged twice, or two records at one offset. */
  | 'acknowledged-twice'
  /** One producer's records of one partition are not stored in the order in which they were sent. */
  | 'reordered'
  /** A record is not at the offset that its acknowledgement named. */
  | 'elsewhere'
  /** Two reads of one offset differ. */
  | 'readers-differ'
  /** A reader met an offset again, or an earlier one. */
  | 'not-monotonic'
  /** A reader was led past records. */
  | 'skipped'
  /** A reader was told that it is outside of a log that it was inside of. */
  | 'out-of-range'
  /** A reader did not reach the end. */
  | 'incomplete'
  /** A record that nobody sent, or other bytes than were sent. */
  | 'forged'
  /** An end of the log below one that was seen before, or below an acknowledged record. */
  | 'watermark-back'
  /** A time was looked up, and the answer is not the first record from then on. */
  | 'wrong-lookup'
  /** A producer was told something that it does not retry. */
  | 'refused'
  /** What is metered is not what the log holds. */
  | 'metering';

export interface Anomaly {
  kind: AnomalyKind;
  detail: string;
}
