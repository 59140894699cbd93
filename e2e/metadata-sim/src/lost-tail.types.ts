/** Watches a run whose newest entries were lost. */
export interface LostTailWatch {
  /** Whether a lost entry committed this object. */
  hasNamed(name: string): boolean;
  /** Call when an entry was appended. One that was on its way when the cluster was stopped may arrive at any time: its time is what counts. */
  appended(seq: number, bytes: Uint8Array): Promise<void>;
  /** Call when all faults have stopped. @throws AuditFailure */
  audit(): Promise<void>;
}
