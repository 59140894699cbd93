// The anomalies that the judge can find.

export type AnomalyKind =
  /** Acknowledged, but missing in the end. */
  | 'lost'
  /** One record at two offsets. */
  | 'doubled'
  /** One record acknowledged twice, or two records acknowledged at one offset. */
  | 'acknowledged-twice'
  /** One producer's records in one partition are not stored in the order of sending. */
  | 'reordered'
  /** A record is not at the offset that its acknowledgement named. */
  | 'elsewhere'
  /** Two reads of one offset differ. */
  | 'readers-differ'
  /** A reader got an offset again, or an earlier one. */
  | 'not-monotonic'
  /** A reader skipped records. */
  | 'skipped'
  /** A reader got OFFSET_OUT_OF_RANGE at an offset inside the log. */
  | 'out-of-range'
  /** A reader did not reach the end. */
  | 'incomplete'
  /** A record that no client sent, or with different bytes. */
  | 'forged'
  /** A log end below one seen before, or below an acknowledged record. */
  | 'watermark-back'
  /** A lookup by time did not return the first record from that time on. */
  | 'wrong-lookup'
  /** A producer got an error that clients do not retry. */
  | 'refused'
  /** Metered bytes differ from the bytes in the log. */
  | 'metering';

export interface Anomaly {
  kind: AnomalyKind;
  detail: string;
}
